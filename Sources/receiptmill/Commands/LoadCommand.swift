internal import ArgumentParser
internal import MillConfiguration
internal import MillRun
internal import MillSystem
internal import ReceiptArchive

/// `receiptmill load`: runs a load by the options, and writes its results to the terminal.
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "load", "Load the lines that decode wrote.",
        usage: "receiptmill load [<file>...] [--database <file>] [<options>]",
        examples: """
            receiptmill decode night.jsonl.gz | receiptmill load - --database mill.sqlite
            receiptmill load decoded/part-*.gz --database mill.sqlite --trust apple
            """,
        details: """
            Takes decode's lines, plain or gzip, and makes of them what receiptmill ingest makes of the archives.

            Load BELIEVES THE VERDICTS that the lines state. It verifies no receipt, but transaction receipts that \
            lacked an issuer's certificate: give --trust and --intermediate as to decode. Load lines of your own \
            workers only; for archives of others there is receiptmill ingest.

            Lines are known by the archive and the line that they name: loading them again, from any file, changes \
            nothing, and a run that was interrupted goes on where it stopped. The lines of an archive have to come in \
            their order. Lines that name no archive, because they were decoded from standard input, are lines of the \
            file that holds them. docs/decode-format.md has the format.

            Standard input and pipes are loaded as they come, and a writer's silence of five seconds commits what came. \
            Only where their lines name no archive are they copied first, to TMPDIR (else /tmp), gzip as it is.

            Exit status: 0 all files are loaded; 65 a file is damaged, holds a line that is not decode's, or more lines \
            were rejected than --max-rejected allows, and all that could be loaded was; 66 a file is missing, and the \
            others are loaded; 73, 74 the database can't be written; 75 another run is loading into it; 78 devices are \
            named by another key than in the database.
            """)

    @Argument(
        help: ArgumentHelp("Files to load, in this order; - is standard input, and so is nothing.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup var load: LoadOptions

    @Option(
        help: .rare(
            "Longest line that is read, in bytes; at a longer one loading of the file ends.", valueName: "bytes"))
    var maxLine = Load.lineBytes

    func validate() throws {
        try checkInputs(files)
        try check("--max-line", maxLine, in: LimitOptions.bytes)
    }

    func run() throws { try load.run(over: files, prepared) }

    private func prepared(_ files: [String]) throws -> Load {
        let settings = try load.settings()
        if let letters = settings.deadLetters?.file {
            var guarded = OutputGuard(database: settings.database)
            for file in files where file != "-" { guarded.protect(file, as: "a file of decoded lines") }
            try guarded.claim(letters, as: .deadLetters)
        }
        var run = Load(files: files.isEmpty ? ["-"] : files, try load.configuration(settings))
        run.configuration.limits.lineBytes = maxLine
        return run
    }
}
