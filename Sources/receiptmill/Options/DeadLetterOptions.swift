internal import ArgumentParser
internal import MillConfiguration

/// `--dead-letters` and its bounds, for commands that may reject lines.
struct DeadLetterOptions: ParsableArguments {
    @Option(
        name: .customLong("dead-letters"),
        help: ArgumentHelp(
            "Keep rejected lines in the database, and write those that are still rejected to this gzip file at the end, "
                + "one JSON object a line. receiptmill ingest loads the corrected file. Not with a pseudonym key.",
            valueName: "file"), completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Days after which a kept line is deleted; its rejection stays. (default: \(DeadLetterSettings.usualDays))",
            valueName: "n"))
    var keepDays: Int?

    @Option(
        help: ArgumentHelp(
            "Maximum size of all kept lines in MiB, compressed; lines beyond it are rejected and not kept. (default: \(DeadLetterSettings.usualMebibytes))",
            valueName: "n"))
    var keepMib: Int?

    func validate() throws {
        try check("--keep-days", keepDays, in: DeadLetterSettings.days)
        try check("--keep-mib", keepMib, in: DeadLetterSettings.mebibytes)
    }

    /// Sets what the command line names. If neither the command line nor the settings name a file, no line is kept.
    func apply(to settings: inout DeadLetterSettings?) {
        if let file {
            if settings == nil { settings = DeadLetterSettings(file: file) }
            settings?.file = file
        }
        if let keepDays { settings?.keepDays = keepDays }
        if let keepMib { settings?.keepMebibytes = keepMib }
    }
}
