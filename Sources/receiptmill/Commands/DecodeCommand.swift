internal import ArgumentParser
internal import Foundation
internal import MillConfiguration
internal import MillRun
internal import MillSystem
internal import ReceiptVerification

/// `receiptmill decode`: runs a decode by the options, and writes its lines to standard output.
struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "decode", "Verify archives and write one JSON line per line.",
        usage: "receiptmill decode [<archive>...] [<options>]",
        examples: """
            receiptmill decode night.jsonl.gz | head
            receiptmill decode /var/receipts/2024-03-*.jsonl.gz | gzip > march.gz
            ls *.gz | xargs -P 8 -I '{}' sh -c 'receiptmill decode {} > {}.decoded'
            """,
        details: """
            A large archive is divided by lines: zcat night.gz | split --lines=1000000 \
            --filter='receiptmill decode > $FILE.decoded' - night.

            Reads what receiptmill ingest reads, and writes one line for each line, in order: submission, receipt with \
            its verdict, purchases; or the rejection. docs/decode-format.md has the format. receiptmill load puts \
            such lines into a database; Spark, DuckDB and the like read them as they are.

            Keeps no state and no temporary files. A line's answer depends on that line and the options alone, so the \
            input can be divided among any number of these. Lines of archives given by name say of which archive they \
            are; lines of standard input, and of other pipes, don't.

            Exit status: 0 every line is answered, or the reader went away; 65 an archive is damaged, and the lines \
            before the damage are answered; 66 an archive is missing, and the others are answered; 74 the output can't \
            be written.
            """)

    @Argument(
        help: ArgumentHelp("Archives, in this order; - is standard input, and so is nothing.", valueName: "archive"),
        completion: .file())
    var archives: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take trust, apps, lines, limits, jobs, keep_receipts and pseudonym_key of this pipeline file; an option that is "
                + "given, too, goes before the file's.", valueName: "file"), completion: .file())
    var pipeline: String?

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

    @OptionGroup(title: "Keys of an archive's JSON objects", visibility: .hidden) var keys: LineKeyOptions

    @OptionGroup(title: "Limits", visibility: .hidden) var limits: LimitOptions

    @Flag(help: "Put the receipts, as base64, into the lines, for receiptmill load --keep-receipts.")
    var keepReceipts = false

    @Flag(help: .rare("Add rejected lines in base64 to the output, for receiptmill load --dead-letters."))
    var keepRejected = false

    @Option(
        help: .rare(
            "Write names in the place of device and account identifiers, made with this key (HMAC-SHA256), after the "
                + "device check.",
            valueName: "file"), completion: .file())
    var pseudonymKey: String?

    @Flag(help: .rare("Say on standard error where the CPU time went, stage by stage."))
    var stats = false

    func validate() throws {
        try checkInputs(archives)
        guard !keepRejected || pseudonymKey == nil else {
            throw ValidationError(
                "--keep-rejected keeps devices and accounts as they are, which --pseudonym-key is to hide")
        }
    }

    /// The settings of the pipeline file, if one is named, overridden by the options.
    private func settings() throws -> Pipeline {
        var settings = try Pipeline(namedIfAny: pipeline)
        trust.apply(to: &settings.trust)
        keys.apply(to: &settings.lines)
        limits.apply(to: &settings.limits)
        if !apps.isEmpty { settings.apps = apps }
        if let jobs { settings.jobs = jobs }
        if let pseudonymKey { settings.pseudonymKey = pseudonymKey }
        if keepReceipts { settings.keepsReceipts = true }
        guard !keepRejected || settings.pseudonymKey == nil else {
            throw MillError(
                stage: .configuring,
                what:
                    "--keep-rejected keeps devices and accounts as they are, which pseudonym_key of the pipeline file is to hide",
                hint: "leave --keep-rejected out", exitStatus: .usage)
        }
        return settings
    }

    func run() throws {
        for folder in ArchiveSource.folders(named: archives) {
            Console.complain(
                "\(PathParts.shown(folder)): is a folder, and what lies in it is not decoded", as: .warning)
        }
        let paths = archives.isEmpty ? ["-"] : ArchiveSource.paths(named: archives)
        var decode = Decode(archives: paths, try LoadConfiguration(settings()))
        decode.keepsRejectedLines = keepRejected
        // A progress line would break up the answers if they appear on the terminal.
        var line = ProgressLine(isQuiet: isatty(STDOUT_FILENO) == 1)
        let (count, isPiped) = (decode.archives.count, archives.isEmpty)
        let outcome = try decode.run {
            line.draw($0, archives: isPiped ? nil : count, countsReceipts: false)
        } _: {
            try Console.write($0)
        }
        line.clear()
        for path in outcome.growing {
            Console.complain("\(PathParts.shown(path)): is being written; its complete lines are answered")
        }
        for failure in outcome.failures { Console.complain(failure.description) }
        if stats { Console.draw(Stage.costs(outcome.cpuSeconds, lines: outcome.lines)) }
        if let failure = outcome.failures.first { throw ExitCode(failure.exitStatus.rawValue) }
    }
}
