internal import ArgumentParser
internal import MillRun

/// `receiptmill ingest`: runs a load of archives by the options, and writes its results to the terminal.
struct IngestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "ingest", "Verify archives and load them into a database.",
        usage: "receiptmill ingest <archive>... [--database <file>] [<options>]",
        examples: """
            receiptmill ingest '/var/receipts/2024-03-*.jsonl.gz' --database mill.sqlite
            zcat night.gz | receiptmill ingest - --database mill.sqlite --json
            receiptmill ingest late.gz --pipeline nightly.yaml
            """,
        details: """
            An archive is gzip or plain text, whatever its name, with one submission a line: a JSON object or list with \
            receipts in base64 or signed strings, or one of them bare. Requests and answers are read as servers log \
            them (docs/line-forms.md). Every line becomes a row of the view submissions or of the view rejections, \
            which says what is wrong with it.

            ingest refuses a first load, and leaves no database, if most of the first lines are rejected, or if most \
            documents lead to one root that is no anchor. The error says which setting is likely wrong; the exit status is 65.

            An archive is known by its content: loading it again, under any name, changes nothing. A run that was \
            interrupted goes on where it stopped. A dead-letter file, or lines of one, is no archive: its corrected \
            lines are loaded in the place where they were rejected. A receipt is verified once: where --trust was wrong or forgotten, \
            load into a new database. A pattern may stand for \
            archives, in quotes: of tens of thousands the shell's own list is too long, or takes a minute to read.

            Exit status: 0 all archives are loaded; 65 an archive is damaged, a letter of a dead-letter file is refused, \
            or more lines were rejected than --max-rejected allows, and all that could be loaded was; 66 an archive is \
            missing, and the others are loaded; 73, 74 the database or an output can't be written; 75 another run is \
            loading into it, or this one was asked to stop (Ctrl-C): the same command goes on.
            """)

    @Argument(
        help: ArgumentHelp("Archives to load, in this order; - is standard input.", valueName: "archive"),
        completion: .file())
    var archives: [String]

    @OptionGroup var load: LoadOptions

    @OptionGroup var lines: LineOptions

    @Option(
        help: .rare(
            "Write what the run did for Prometheus, to a file of node_exporter's textfile collector.", valueName: "file"
        ), completion: .file())
    var metrics: String?

    func validate() throws {
        guard !archives.isEmpty else { throw ValidationError("name at least one archive, or - for standard input") }
        try checkInputs(archives)
    }

    func run() throws { try load.run(over: archives, prepared) }

    private func prepared(_ archives: [String]) throws -> Ingest {
        var settings = try load.settings()
        lines.apply(to: &settings)
        try lines.checkFiles(archives, load, settings, metrics: metrics)
        var configuration = try load.configuration(settings)
        configuration.metrics = metrics
        return Ingest(archives: archives, configuration)
    }
}
