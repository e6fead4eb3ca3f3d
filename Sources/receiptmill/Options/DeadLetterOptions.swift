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
            valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Days after which a kept line goes; its rejection stays.", valueName: "n"))
    var keepDays = DeadLetterSettings.usualDays

    @Option(
        help: ArgumentHelp(
            "MiB that kept lines may take in all, compressed; lines beyond are rejected and not kept.", valueName: "n"))
    var keepMib = DeadLetterSettings.usualMebibytes

    func validate() throws {
        try check("--keep-days", keepDays, in: DeadLetterSettings.days)
        try check("--keep-mib", keepMib, in: DeadLetterSettings.mebibytes)
    }

    var settings: DeadLetterSettings? {
        file.map { file in
            var settings = DeadLetterSettings(file: file)
            (settings.keepDays, settings.keepMebibytes) = (keepDays, keepMib)
            return settings
        }
    }
}
