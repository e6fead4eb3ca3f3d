internal import ArgumentParser
internal import ReceiptPipeline

/// `receiptmill report`: options to a run of the library's, its text to where
/// the user wants it.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Answer a question from the database.",
        usage: """
            receiptmill report <name> --database <file> [--param <name=value>]... [--format <format>]
            receiptmill report --list
            receiptmill report --describe <name>
            receiptmill report --show-sql <name>
            """,
        discussion: """
            A report is an SQL file with a header that says what it answers. Start with \
            --list, read one with --describe, then run it:

              receiptmill report refunds --database mill.sqlite
              receiptmill report refunds --database mill.sqlite --param from=2024-01-01 \\
                --format csv --output refunds.csv

            To change a report or add one, copy it to a folder of your own:

              receiptmill report --show-sql refunds > my-reports/refunds.sql
              receiptmill report refunds --sql my-reports --database mill.sqlite

            The same file runs in the sqlite3 shell. The database is only read, also \
            while an ingest is at work.
            """)

    /// What the command line may ask `--format` for.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table, csv, tsv, json, jsonl, markdown, html, text
    }

    @Argument(help: "The report's name.")
    var name: String?

    @Option(help: ArgumentHelp("The database that receiptmill ingest wrote.", valueName: "file"))
    var database: String?

    @Option(
        name: .customLong("param"), parsing: .singleValue,
        help: ArgumentHelp("Set a parameter; may be repeated. --describe tells a report's.", valueName: "name=value"))
    var settings: [ReportSetting] = []

    @Option(
        help: ArgumentHelp(
            "How to write the result, a table unless set; --list is written as text or json.",
            valueName: "format"))
    var format: Format?

    @Option(help: ArgumentHelp("Write to a file, which is there whole or not at all.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("A folder of reports that go before those built in.", valueName: "folder"))
    var sql: String?

    @Flag(help: "List the reports.")
    var list = false

    @Flag(help: "Say what a report answers, its parameters and its columns.")
    var describe = false

    @Flag(name: .customLong("show-sql"), help: "Print a report's SQL.")
    var showSQL = false

    func validate() throws {
        guard [list, describe, showSQL].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --list, --describe and --show-sql.")
        }
        if list {
            guard name == nil, settings.isEmpty else {
                throw ValidationError("--list takes neither a name nor --param.")
            }
            guard format == nil || format == .text || format == .json else {
                throw ValidationError("--list is written as text or json.")
            }
            return
        }
        guard name != nil else {
            throw ValidationError("Which report? Give its name; receiptmill report --list names them all.")
        }
        if describe || showSQL {
            guard settings.isEmpty, format == nil else {
                throw ValidationError("--describe and --show-sql take neither --param nor --format.")
            }
            return
        }
        guard database != nil else {
            throw ValidationError("Which database? Give --database FILE, the file that receiptmill ingest wrote.")
        }
        guard format != .text else {
            throw ValidationError("A report is written as table, csv, tsv, json, jsonl, markdown or html.")
        }
    }

    func run() throws {
        try Ending.of {
            let catalog = try sql.map(ReportCatalog.init(folder:)) ?? ReportCatalog()
            if list {
                let reports = try catalog.reports()
                try write { try $0(format == .json ? ReportListing.json(reports) : ReportListing.text(reports)) }
                return
            }
            let report = try catalog.report(named: name ?? "")
            if describe {
                try write { try $0(ReportListing.description(of: report)) }
            } else if showSQL {
                try write { try $0(report.sql) }
            } else {
                let run = try ReportRun(report, settings: settings.map { ($0.name, $0.text) })
                let format = format.flatMap { ReportFormatName(rawValue: $0.rawValue) } ?? .table
                let layout =
                    output == nil ? TableLayout(width: Console.width, isStyled: Console.isStyled) : TableLayout()
                try write { sink in
                    try run.write(fromDatabase: database ?? "", as: format, layout: layout, to: sink)
                }
            }
        }
    }

    private func write(_ body: (_ sink: (String) throws -> Void) throws -> Void) throws {
        if let output {
            try OutputFile.write(to: output, body)
        } else {
            try body(Console.write)
        }
    }
}
