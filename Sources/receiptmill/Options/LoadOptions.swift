internal import ArgumentParser
internal import Foundation
internal import Logging
internal import MillConfiguration
internal import MillRun
internal import MillSystem
package import ReceiptVerification
internal import ReceiptWarehouse

/// The options of commands that load: settings of the load, and the form in which the run is reported.
struct LoadOptions: ParsableArguments {
    @OptionGroup var target: DatabaseOption

    @Option(help: .pipeline, completion: .file())
    var pipeline: String?

    @OptionGroup var trust: TrustOptions

    @Option(help: .jobs, transform: Workers.count)
    var jobs: Int?

    @OptionGroup var summary: SummaryOptions

    @Option(
        help: .rare(
            "Share of the lines that may be rejected before the run counts as failed. Unless set, it is 0.5, for runs of at least twenty lines.",
            valueName: "share"))
    var maxRejected: Double?

    @Option(
        name: .customLong("app"),
        help: .everyday(
            "An app of yours: bundle identifier, first free version (may be empty), platform (may be left out).",
            details:
                "Repeatable. Platforms are ios, macos, tvos and visionos; name an app once for each of several, or once "
                + "without any. Kept in the database. Once one is set, receipts of others are unexpected.",
            valueName: "bundle:version[:platform]"))
    var apps: [AppSetting] = []

    @Flag(
        help: .rare(
            "Store new receipts whole, so that receiptmill regrade can verify them again; for load, decode has to."))
    var keepReceipts = false

    @Flag(inversion: .prefixedNo, help: .refresh)
    var refresh = true

    @OptionGroup(title: "Dead letters", visibility: .hidden) var deadLetters: DeadLetterOptions

    @Flag(inversion: .prefixedNo, help: .preflight)
    var preflight = true

    @Option(help: .wait)
    var wait: WaitingTime?

    /// The number of lines in a transaction. With the default, a test would need hundreds of thousands of lines for
    /// several transactions.
    @Option(help: .hidden)
    var window = WarehouseWriter.defaultWindowSize

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    @OptionGroup(title: "Logging", visibility: .hidden) var log: LogOptions

    @Flag(help: .rare("Say on standard error where the CPU time went, stage by stage."))
    var stats = false

    func validate() throws {
        guard (0...1).contains(maxRejected ?? 0) else {
            throw ValidationError("--max-rejected is a share from 0 to 1, such as 0.01")
        }
        if let bundle = AppSetting.contradiction(in: apps) {
            throw ValidationError("--app names \(bundle) twice: give each platform once, or none")
        }
    }

    /// The settings of the pipeline file, if one is named, overridden by the options.
    func settings() throws -> Pipeline {
        var settings = try Pipeline(namedIfAny: pipeline)
        if pipeline == nil || target.named != nil { settings.load(into: try target.path) }
        trust.apply(to: &settings.trust)
        if !apps.isEmpty { settings.apps = apps }
        if let jobs { settings.jobs = jobs }
        if keepReceipts { settings.keepsReceipts = true }
        deadLetters.apply(to: &settings.deadLetters)
        return settings
    }

    /// The settings of a run.
    func configuration(_ settings: Pipeline) throws -> LoadConfiguration {
        var configuration = try LoadConfiguration(settings)
        configuration.refreshes = refresh
        configuration.maxRejected = maxRejected
        configuration.maximumWait = wait?.duration
        (configuration.checksDiskSpace, configuration.judgesFirstLines) = (preflight, preflight)
        configuration.windowSize = window
        return configuration
    }

    /// Makes a run and performs it; the results go to the terminal.
    ///
    /// - Parameters:
    ///   - names: paths and patterns as the command line has them.
    ///   - prepare: makes the run over the paths to which the names expand.
    func run(over names: [String], _ prepare: ([String]) throws -> some LoadingRun) throws {
        let paths = ArchiveSource.paths(named: names)
        let run: any LoadingRun
        do {
            run = try prepare(paths)
        } catch let error as MillError {
            if summary.isJSON { CommandExit.summarise(error) }
            throw error
        }
        StopSignals.make(run.configuration.stop)
        // A person who names archives needs a record for each archive, so the level is notice even if the output is
        // no terminal.
        let log = RunLog(
            format: log.logFormat ?? .text, level: log.logLevel ?? (quiet ? .warning : .notice),
            archives: max(paths.count, 1))
        for folder in ArchiveSource.folders(named: names) { log.write(.passedOver(folder: folder)) }
        try CommandExit.of(log, isJSON: summary.isJSON) {
            var outcome = try run.run { log.write($0) }
            log.clear()
            if !quiet { outcome = outcome.advising(of: run.configuration.database, takesApps: true) }
            if summary.isJSON {
                try Console.write(outcome.json + "\n")
            } else if !quiet, outcome.lines > 0 || outcome.isStopped || outcome.exitStatus == nil {
                try Console.write(outcome.text)
            }
            if stats { Console.draw(Stage.costs(outcome.cpuSeconds, lines: outcome.lines)) }
            if outcome.outcome == .alarm { complain(outcome) }
            if let status = outcome.exitStatus { throw ExitCode(status.rawValue) }
        }
    }

    private func complain(_ outcome: RunSummary) {
        Console.complain(
            String(
                format: "%.4f of the lines were rejected, more than --max-rejected %g allows\n"
                    + "hint: SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason",
                outcome.rejectedShare, outcome.allowedRejections))
    }
}

extension AppSetting: ExpressibleByArgument {
    package init?(argument: String) { self.init(parsing: argument) }
}
