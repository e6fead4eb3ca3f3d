internal import ArgumentParser
internal import MillConfiguration
internal import MillRun
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification

/// `receiptmill decode`: makes a decode of the options, and writes its lines to standard output.
struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Answer every line of archives with one line of JSON, without a database.",
        discussion: """
            Reads what receiptmill ingest reads, and writes one line for each line, in order: submission, receipt with \
            its verdict, purchases; or the rejection. docs/decode-format.md has the format. receiptmill load puts \
            such lines into a database; Spark, DuckDB and the like read them as they are.

            Keeps no state and no temporary files. A line's answer depends on that line and the options alone, so the \
            input can be divided among any number of these. Lines of archives given by name say of which archive they \
            are; lines of standard input, and of other pipes, don't.

            Examples:
              receiptmill decode /var/receipts/2024-03-*.jsonl.gz | gzip > 2024-03.decoded.gz
              zcat night.gz | split --lines=1000000 --filter='receiptmill decode > $FILE.decoded' - night.
              ls *.gz | xargs -P 8 -I '{}' sh -c 'receiptmill decode --jobs 1 {} > {}.decoded'

            Exit status: 0 every line is answered, or the reader went away; 65 an archive is damaged, and the lines \
            before the damage are answered; 66 an archive is missing, and the others are answered; 74 the output can't \
            be written.
            """)

    @Argument(
        help: ArgumentHelp("Archives, in this order; - is standard input, and so is nothing.", valueName: "archive"))
    var archives: [String] = []

    @OptionGroup var trust: TrustOptions

    @Option(help: .jobs, transform: Workers.count)
    var jobs: Int?

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            "An app of yours, as receiptmill ingest takes it; decides app_check alone. Repeatable. Once one is set, "
                + "receipts of others are unexpected.",
            valueName: "bundle[:version[:platform]]"))
    var apps: [AppSetting] = []

    @OptionGroup(title: "Keys of an archive's JSON objects") var keys: LineKeyOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    @Flag(help: "Put the receipts, as base64, into the lines, for receiptmill load --keep-receipts.")
    var keepReceipts = false

    @Flag(help: "Put rejected lines, as base64, into the lines, for receiptmill load --dead-letters.")
    var keepRejected = false

    @Option(
        help: ArgumentHelp(
            "Write names in the place of device and account identifiers, made with this key (HMAC-SHA256), after the "
                + "device check.",
            valueName: "file"))
    var pseudonymKey: String?

    @Flag(help: "Say on standard error where the CPU time went, stage by stage.")
    var stats = false

    func validate() throws {
        try checkInputs(archives)
        guard !keepRejected || pseudonymKey == nil else {
            throw ValidationError(
                "--keep-rejected keeps devices and accounts as they are, which --pseudonym-key is to hide")
        }
    }

    func run() throws {
        try CommandExit.of {
            for folder in ArchiveSource.folders(named: archives) {
                Console.complain(
                    "\(PathParts.shown(folder)): is a folder, and what lies in it is not decoded", as: .warning)
            }
            var decode = Decode(archives: archives.isEmpty ? ["-"] : ArchiveSource.paths(named: archives))
            decode.anchors = try trust.resolvedAnchors()
            decode.intermediates = try trust.resolvedIntermediates()
            decode.keys = keys.resolved
            decode.limits = limits.resolved
            decode.apps = apps
            decode.keepsReceipts = keepReceipts
            decode.keepsRejectedLines = keepRejected
            decode.pseudonyms = try pseudonymKey.map(Pseudonyms.init(keyFile:))
            if let jobs { decode.jobs = jobs }
            let outcome = try decode.run { try Console.write($0) }
            for path in outcome.growing {
                Console.complain("\(PathParts.shown(path)): is being written; its complete lines are answered")
            }
            for failure in outcome.failures { Console.complain(failure.description) }
            if stats { Console.draw(Stage.costs(outcome.cpuSeconds, lines: outcome.lines)) }
            if let failure = outcome.failures.first { throw ExitCode(failure.exitStatus.rawValue) }
        }
    }
}
