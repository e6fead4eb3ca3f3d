internal import ArgumentParser
internal import Foundation
internal import Logging
internal import MillConfiguration
internal import MillRun
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptWarehouse

/// What `ingest` and `load` share: a database to load into, and how the run is reported.
struct LoadOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("SQLite database; made if absent.", valueName: "file"))
    var database: String

    @OptionGroup var trust: TrustOptions

    @Option(help: .jobs, transform: Workers.count)
    var jobs: Int?

    @OptionGroup var summary: SummaryOptions

    @Option(
        help: ArgumentHelp(
            "Share of the lines that may be rejected before the run counts as failed.", valueName: "share"))
    var maxRejected = 1.0

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            "An app of yours: bundle identifier, first free version (may be empty), platform ios or macos (may be "
                + "left out). Repeatable; kept in the database. Once one is set, receipts of others are unexpected.",
            valueName: "bundle:version[:platform]"))
    var apps: [AppSetting] = []

    @Flag(
        help: "Store new receipts whole, so that receiptmill regrade can verify them again; for load, decode has to."
    )
    var keepReceipts = false

    @Flag(inversion: .prefixedNo, help: .refresh)
    var refresh = true

    @OptionGroup(title: "Dead letters") var deadLetters: DeadLetterOptions

    @Flag(inversion: .prefixedNo, help: .preflight)
    var preflight = true

    @Option(help: .wait)
    var wait: WaitingTime?

    /// For tests, which would need hundreds of thousands of lines for several transactions.
    @Option(help: .hidden)
    var window = WarehouseWriter.defaultWindowSize

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    @OptionGroup(title: "Logging") var log: LogOptions

    @Flag(help: "Say on standard error where the CPU time went, stage by stage.")
    var stats = false

    func validate() throws {
        guard (0...1).contains(maxRejected) else {
            throw ValidationError("--max-rejected is a share from 0 to 1, such as 0.01")
        }
        guard Set(apps.map(\.bundleID)).count == apps.count else {
            throw ValidationError("--app names a bundle twice")
        }
    }

    /// What these options say of loading.
    func configuration() throws -> LoadConfiguration {
        var configuration = LoadConfiguration(database: database)
        configuration.anchors = try trust.resolvedAnchors()
        configuration.intermediates = try trust.resolvedIntermediates()
        configuration.apps = apps
        if let jobs { configuration.jobs = jobs }
        configuration.keepsReceipts = keepReceipts
        configuration.refreshes = refresh
        configuration.maxRejected = maxRejected
        configuration.deadLetters = deadLetters.settings
        configuration.greatestWait = wait?.duration
        configuration.checksDiskSpace = preflight
        configuration.windowSize = window
        return configuration
    }

    /// Prepares a run of so many archives and does it; its outcome goes to the terminal.
    ///
    /// - Parameter names: what the command names, patterns among it.
    func report<Run>(
        archives: Int, named names: [String], _ prepare: () throws -> Run, stop: (Run) -> CancellationFlag,
        _ work: (Run, @escaping (RunEvent) -> Void) throws -> RunSummary
    ) throws {
        try CommandExit.of {
            let run: Run
            do {
                run = try prepare()
            } catch let error as MillError {
                if summary.isJSON { CommandExit.summarise(error) }
                throw error
            }
            StopSignals.make(stop(run))
            // A person who names archives wants to read what became of them.
            var log = RunLog(
                format: log.logFormat ?? .text, level: log.logLevel ?? (quiet ? .warning : .notice), archives: archives)
            for folder in ArchiveSource.folders(named: names) { log.write(RunEvent.passedOver(folder: folder)) }
            do {
                let outcome = try work(run) { log.write($0) }
                log.clear()
                if outcome.isStopped { log.write(RunEvent.stopped(outcome.stoppedAt)) }
                if summary.isJSON {
                    try Console.write(outcome.json + "\n")
                } else if !quiet {
                    try Console.write(outcome.text)
                }
                if stats { Console.draw(Stage.costs(outcome.cpuSeconds, lines: outcome.lines)) }
                if let status = outcome.ending() { throw ExitCode(status.rawValue) }
            } catch let error as MillError {
                log.write(error)
                if summary.isJSON { CommandExit.summarise(error) }
                throw ExitCode(error.exitStatus.rawValue)
            }
        }
    }
}
