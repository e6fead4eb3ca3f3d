internal import ArgumentParser
internal import MillConfiguration
internal import MillDatabase
internal import MillRun

/// `receiptmill retry`: runs a load by the options that reads rejected lines again.
struct RetryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "retry", "Retry rejected lines with other limits or keys.",
        usage: "receiptmill retry [<archive>...] [--database <file>] [<options>]",
        examples: """
            receiptmill retry --database mill.sqlite --max-receipt 8388608
            receiptmill retry night.jsonl.gz --database mill.sqlite --max-line 67108864
            """,
        details: """
            The command reads the lines that the database keeps (ingest --dead-letters, or dead_letters in the pipeline file), and \
            of the archives that are named also rejected lines that it does not keep, such as those that were too \
            long. What can be read now becomes a submission of its archive and line, and is no longer rejected; the \
            other lines stay rejected as they are. Give trust, keys and limits as to ingest. The summary says how many \
            rejections stay open, and of how many of them the line is not kept.

            Exit status: 0 done; 65 an archive is damaged or was never loaded; 66 there is no such database, or an \
            archive is missing; 73, 74 the database can't be written; 75 another run is at work.
            """)

    @Argument(
        help: ArgumentHelp("Archives that were loaded, for rejected lines that are not kept.", valueName: "archive"),
        completion: .file())
    var archives: [String] = []

    @OptionGroup var load: LoadOptions

    @OptionGroup var lines: LineOptions

    func run() throws { try load.run(over: archives, prepared) }

    private func prepared(_ archives: [String]) throws -> Ingest {
        var settings = try load.settings()
        lines.apply(to: &settings)
        try lines.checkFiles(archives, load, settings)
        try DatabaseName.refuseMissing(settings.database)
        var ingest = Ingest(archives: [], try load.configuration(settings))
        ingest.retriesRejectedLines = true
        ingest.retriedArchives = archives
        return ingest
    }
}
