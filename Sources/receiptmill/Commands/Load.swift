internal import ArgumentParser
internal import Logging
internal import MillConfiguration
internal import MillSystem
internal import ReceiptPipeline
internal import ReceiptTrust

/// `receiptmill load`: options to a run, and its outcome to the terminal.
struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Load what receiptmill decode wrote into a database.",
        discussion: """
            Takes decode's lines, plain or gzip, and makes of them what receiptmill ingest makes of the archives.

            Load BELIEVES THE VERDICTS that the lines state. It verifies no receipt, but transaction receipts that \
            lacked an issuer's certificate: give --trust and --intermediate as to decode. Load lines of your own \
            workers only; for archives of others there is receiptmill ingest.

            Lines are known by the archive and the line that they name: loading them again, from any file, changes \
            nothing, and a run that was interrupted goes on where it stopped. The lines of an archive have to come in \
            their order. Lines that name no archive, because they were decoded from standard input, are lines of the \
            file that holds them. docs/decode-format.md has the format.

            Examples:
              receiptmill decode night.jsonl.gz | receiptmill load - --database mill.sqlite
              receiptmill load decoded/part-*.gz --database mill.sqlite --trust apple

            Exit status: 0 all files are loaded; 65 a file is damaged, holds a line that is not decode's, or more lines \
            were rejected than --max-rejected allows, and all that could be loaded was; 66 a file is missing, and the \
            others are loaded; 73, 74 the database can't be written; 75 another run is loading into it; 78 devices are \
            named by another key than in the database.
            """)

    @Argument(
        help: ArgumentHelp("Files to load, in this order; - is standard input, and so is nothing.", valueName: "file"))
    var files: [String] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("SQLite database; made if absent.", valueName: "file"))
    var database: String

    @OptionGroup var trust: TrustOptions

    @OptionGroup var intermediates: IntermediateOptions

    @OptionGroup var jobs: JobOptions

    @Option(help: "What to end with on standard output: a summary to read, or one JSON object.")
    var format = Ingest.Format.text

    @Option(
        help: ArgumentHelp(
            "Share of the lines that may be rejected before the run counts as failed.", valueName: "share"))
    var maxRejected = 1.0

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("An app of yours, as receiptmill ingest takes it.", valueName: "bundle:version[:platform]"))
    var apps: [AppSetting] = []

    @Flag(
        help:
            "Store new receipts whole, so that receiptmill regrade can judge them again; needs decode --keep-receipts.")
    var keepReceipts = false

    @Option(
        help: ArgumentHelp(
            "Write every rejected line that stands to a gzip file, as it was; of those that decode --keep-rejected has "
                + "kept. Mended, it is loaded by receiptmill ingest.", valueName: "file"))
    var rejects: String?

    @Option(
        help: ArgumentHelp(
            "Longest line that is read, in bytes; at a longer one loading of the file ends.", valueName: "bytes"))
    var maxLine = ReceiptPipeline.Load.limits.lineBytes

    @Flag(help: "Wait while another run holds the database.")
    var wait = false

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    @OptionGroup(title: "Logging") var log: LogOptions

    @Flag(help: "Tell on standard error where the CPU time went, stage by stage.")
    var stats = false

    func validate() throws {
        guard (0...1).contains(maxRejected) else {
            throw ValidationError("--max-rejected is a share from 0 to 1, such as 0.01")
        }
        guard Set(apps.map(\.bundleID)).count == apps.count else {
            throw ValidationError("--app names a bundle twice")
        }
        guard files.filter({ $0 == "-" }).count < 2 else { throw ValidationError("- can be read once") }
        guard (1...LimitOptions.greatest).contains(maxLine) else {
            throw ValidationError("--max-line goes from 1 to \(LimitOptions.greatest) bytes")
        }
    }

    func run() throws {
        try CommandExit.of {
            if let rejects {
                var guarded = OutputGuard(database: database)
                for file in files where file != "-" { guarded.protect(file, as: "a file of decoded lines") }
                try guarded.claim(rejects, as: .rejects)
            }
            var load = ReceiptPipeline.Load(files: files.isEmpty ? ["-"] : files, database: database)
            load.anchors = try trust.resolved()
            load.intermediates = try intermediates.resolved()
            load.limits.lineBytes = maxLine
            load.apps = apps
            if let jobs = jobs.jobs { load.jobs = jobs }
            load.keepsReceipts = keepReceipts
            load.rejects = rejects
            load.maxRejected = maxRejected
            load.waitsForOtherRun = wait
            StopSignals.make(load.stop)
            try start(load)
        }
    }

    private func start(_ load: ReceiptPipeline.Load) throws {
        var log = RunLog(
            format: log.logFormat ?? .text, level: log.logLevel ?? (quiet ? .warning : .notice),
            archives: load.files.count)
        do {
            let summary = try load.run { log.tell($0) }
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
}
