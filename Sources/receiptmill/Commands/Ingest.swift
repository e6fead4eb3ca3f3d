internal import ArgumentParser
internal import Foundation
internal import Logging
internal import MillConfiguration
internal import MillSystem
internal import ReceiptPipeline
internal import ReceiptTrust

/// `receiptmill ingest`: options to a run, and its outcome to the terminal.
struct Ingest: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify archives of receipts and load them into a database.",
        discussion: """
            An archive is gzip or plain text, whatever its name, with one submission a line: a JSON object with the \
            receipt as base64, or the bare receipt. Every line becomes a row of the view submissions or of the view \
            rejections, which says what is wrong with it.

            An archive is known by its content: loading it again, under any name, changes nothing. A run that was \
            interrupted goes on where it stopped. A receipt is judged once: where --trust was wrong or forgotten, \
            load into a new database.

            Examples:
              receiptmill ingest /var/receipts/2024-03-*.jsonl.gz --database mill.sqlite
              zcat night.gz | receiptmill ingest - --database mill.sqlite --format json
              receiptmill ingest night.gz --database mill.sqlite --app com.example.app:2.0:ios

            Exit status: 0 all archives are loaded; 65 an archive is damaged, changed lines of a mended rejects file \
            still can't be read, or more lines were rejected than --max-rejected allows, and all that could be loaded \
            was; 66 an archive is missing, and the others are loaded; 73, 74 the database can't be written; 75 another \
            run is loading into it.
            """)

    @Argument(help: ArgumentHelp("Archives to load, in this order; - is standard input.", valueName: "archive"))
    var archives: [String]

    @Option(name: .shortAndLong, help: ArgumentHelp("SQLite database; made if absent.", valueName: "file"))
    var database: String

    @OptionGroup var trust: TrustOptions

    @OptionGroup var intermediates: IntermediateOptions

    @OptionGroup var jobs: JobOptions

    @Option(help: "What to end with on standard output: a summary to read, or one JSON object.")
    var format = Format.text

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

    @OptionGroup(title: "Keys of an archive's JSON objects") var keys: LineKeyOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    @Flag(help: "Store new receipts whole, so that receiptmill regrade can judge them again.")
    var keepReceipts = false

    @Option(
        help: ArgumentHelp(
            "Store names in the place of device and account identifiers, made with this key (HMAC-SHA256), after the "
                + "device check. A database keeps to the key of its first load.",
            valueName: "file"))
    var pseudonymKey: String?

    @Option(
        help: ArgumentHelp(
            "Write every rejected line that stands to a gzip file, as it was. Mended and loaded under the same name, it "
                + "clears the rejections of the lines that can be read. Not with --pseudonym-key.", valueName: "file"))
    var rejects: String?

    @Flag(
        help: ArgumentHelp(
            "Of archives that were loaded before, read the rejected lines again: after the keys or limits were mended. "
                + "What can be read now is loaded, once, and no longer rejected."))
    var again = false

    @Flag(help: "Wait while another run holds the database.")
    var wait = false

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Write what the run did for Prometheus, to a file of node_exporter's textfile collector.", valueName: "file"
        ))
    var metrics: String?

    @OptionGroup(title: "Logging") var log: LogOptions

    @Flag(help: "Tell on standard error where the CPU time went, stage by stage.")
    var stats = false

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    func validate() throws {
        guard !archives.isEmpty else { throw ValidationError("name at least one archive, or - for standard input") }
        guard (0...1).contains(maxRejected) else {
            throw ValidationError("--max-rejected is a share from 0 to 1, such as 0.01")
        }
        guard Set(apps.map(\.bundleID)).count == apps.count else {
            throw ValidationError("--app names a bundle twice")
        }
        guard rejects == nil || pseudonymKey == nil else {
            throw ValidationError("--rejects keeps devices and accounts as they are, which --pseudonym-key is to hide")
        }
        guard archives.filter({ $0 == "-" }).count < 2 else { throw ValidationError("- can be read once") }
    }

    func run() throws {
        try CommandExit.of {
            let ingest: ReceiptPipeline.Ingest
            do {
                ingest = try prepared()
            } catch let error as MillError {
                if format == .json { CommandExit.summarise(error) }
                throw error
            }
            StopSignals.make(ingest.stop)
            try start(ingest)
        }
    }

    private func prepared() throws -> ReceiptPipeline.Ingest {
        try checkOutputs()
        var ingest = ReceiptPipeline.Ingest(archives: archives, database: database)
        ingest.anchors = try trust.resolved()
        ingest.intermediates = try intermediates.resolved()
        ingest.keys = keys.resolved
        ingest.limits = limits.resolved
        ingest.apps = apps
        if let jobs = jobs.jobs { ingest.jobs = jobs }

        ingest.keepsReceipts = keepReceipts
        ingest.pseudonyms = try pseudonymKey.map(Pseudonyms.init(keyFile:))
        ingest.rejects = rejects
        ingest.maxRejected = maxRejected
        ingest.readsRejectedAgain = again
        ingest.waitsForOtherRun = wait
        ingest.metrics = metrics
        return ingest
    }

    private func start(_ ingest: ReceiptPipeline.Ingest) throws {
        // Who gives archives by hand wants to read what became of them.
        var log = RunLog(
            format: log.logFormat ?? .text, level: log.logLevel ?? (quiet ? .warning : .notice),
            archives: archives.count)
        do {
            let summary = try ingest.run { log.tell($0) }
            log.clear()
            switch format {
            case .json: try Console.write(summary.json + "\n")
            case .text where !quiet: try Console.write(summary.text)
            case .text: break
            }
            if stats { Console.draw(Stage.costs(summary.cpuSeconds, lines: summary.lines)) }
            if let status = summary.ending() { throw ExitCode(status.rawValue) }
        } catch let error as MillError {
            log.tell(error)
            if format == .json { CommandExit.summarise(error) }
            throw ExitCode(error.exitStatus.rawValue)
        }
    }

    private func checkOutputs() throws {
        var files = OutputGuard(database: database)
        for archive in archives where archive != "-" { files.protect(archive, as: "an archive") }
        if let pseudonymKey { files.protect(pseudonymKey, as: "the key of the pseudonyms") }
        for file in intermediates.files { files.protect(file, as: "a certificate") }
        if let rejects { try files.claim(rejects, as: .rejects) }
        if let metrics { try files.claim(metrics, as: .metrics) }
    }
}
