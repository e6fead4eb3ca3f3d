internal import ArgumentParser
internal import DatabaseCare

/// `receiptmill dismiss`: marks rejections that can't be corrected.
struct DismissCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "dismiss", "Mark rejected lines as not recoverable.",
        examples: """
            receiptmill dismiss night.jsonl.gz:152 --database mill.sqlite
            receiptmill dismiss --file hopeless.jsonl --database mill.sqlite
            """,
        details: """
            A dismissed rejection stays in the view rejections, with dismissed = 1. Its kept line is deleted: no \
            dead-letter file contains it, retry does not read it, and its archive may be deleted. --undo removes the \
            mark, but does not restore the line.

            Exit status: 0 done; 65 one of the lines was never rejected, and nothing is changed; 66 there is no such \
            database; 75 a run is at work.
            """)

    @Argument(
        help: ArgumentHelp(
            "Archive and line, as the view rejections has them; the first digits of the archive's SHA-256 where "
                + "several have its name.", valueName: "archive:line"))
    var lines: [String] = []

    @Option(
        help: ArgumentHelp(
            "A dead-letter file, or part of one, with the rejections to dismiss; - is standard input.",
            valueName: "file"),
        completion: .file())
    var file: String?

    @Flag(help: "Open dismissed rejections again.")
    var undo = false

    @OptionGroup var target: NamedDatabaseOptions

    func validate() throws {
        guard !lines.isEmpty || file != nil else { throw ValidationError("name rejections, or give --file") }
    }

    func run() throws {
        let database = target.database
        var dismissal = Dismissal(database: database)
        (dismissal.lines, dismissal.file, dismissal.isUndo) = (lines, file, undo)
        let summary = try dismissal.run()
        guard !target.quiet else { return }
        let noun = summary.changed == 1 ? "rejection" : "rejections"
        try Console.write("\(summary.changed) \(noun) \(undo ? "opened again" : "dismissed")\n")
        if summary.unchanged > 0 {
            let verb = summary.unchanged == 1 ? "was" : "were"
            try Console.write("\(summary.unchanged) \(verb) not \(undo ? "dismissed" : "open")\n")
        }
    }
}
