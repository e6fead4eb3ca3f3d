internal import ArgumentParser
internal import MillConfiguration
internal import MillSystem

/// `--dead-letters` and its bounds, for commands that may reject lines.
struct DeadLetterOptions: ParsableArguments {
    @Option(
        name: .customLong("dead-letters"),
        help: ArgumentHelp(
            "Keep rejected lines in the database, and end by writing those whose rejection is open to a gzip file, one "
                + "JSON object a line. Corrected, it is loaded by receiptmill ingest. Not with a pseudonym key.",
            valueName: "file"), completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Days after which a kept line goes; its rejection stays. (default: \(DeadLetterSettings.usualDays))",
            valueName: "n"))
    var keepDays: Int?

    @Option(
        help: ArgumentHelp(
            "MiB that kept lines may take in all, compressed; lines beyond are rejected and not kept. (default: \(DeadLetterSettings.usualMebibytes))",
            valueName: "n"))
    var keepMib: Int?

    func validate() throws {
        try check("--keep-days", keepDays, in: DeadLetterSettings.days)
        try check("--keep-mib", keepMib, in: DeadLetterSettings.mebibytes)
    }

    /// Sets what the command line names; without a file of either, no line is kept.
    func apply(to settings: inout DeadLetterSettings?) {
        if let file {
            if settings == nil { settings = DeadLetterSettings(file: file) }
            settings?.file = file
        }
        if let keepDays { settings?.keepDays = keepDays }
        if let keepMib { settings?.keepMebibytes = keepMib }
    }
}
