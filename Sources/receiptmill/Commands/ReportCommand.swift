internal import ArgumentParser
internal import Foundation
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptReports
internal import ReportHeaders

/// `receiptmill report`: runs reports by the options, and writes their text to the chosen output.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "report", "Answer a question from the database.",
        usage: """
            receiptmill report <name> [<subject>] [<parameter>=<value>]... [--format <format>]
            receiptmill report --list | --describe <name> | --show-sql <name>
            receiptmill report --html-dashboard <file> | --all --output <folder>
            """,
        examples: """
            receiptmill report --list
            receiptmill report refunds from=last-6-months by=product
            receiptmill report refunds --format csv --output refunds.csv
            """,
        details: """
            A report is an SQL file with a header that says what it answers. Start with --list, read one with \
            --describe, which names its parameters and the values that they take, then run it. A word with = sets a \
            parameter, as --param does. A table shows the main columns, CSV all; --columns names others:

              receiptmill report refunds --database mill.sqlite --columns month,refunded_sales

            A day may be today, yesterday or last-7-days, the day seven days before today; a month this-month, \
            last-month or last-12-months. All are those of the database's time zone, which receiptmill refresh \
            --time-zone sets, as --prices there sets a price list.

            To change a report or add one, copy it to a folder of your own:

              receiptmill report --show-sql refunds > my-reports/refunds.sql
              receiptmill report refunds --sql my-reports

            For an alarm when there is something to see, run from cron:

              receiptmill report findings --database mill.sqlite --fail-if-rows --timeout 60

            On a terminal, what is longer than the screen goes through PAGER, else through less; PAGER=cat turns this off.

            The same file runs in the sqlite3 shell. A report can run while an ingest is at work. Many read models, \
            tables that receiptmill refresh and the end of each load compute: where something was changed since, the \
            answer is theirs, and a warning says so.

            Exit status: 0 with rows or without; 1 with rows, where --fail-if-rows is given; 64 a name or a parameter \
            is wrong; 65 the report reads models, and none were computed yet; 66 an input is missing; 75 the time was \
            up; 78 a report of yours is broken.
            """)

    @Argument(
        help: ArgumentHelp(
            "The report's name; what it is about, for a report that needs it, such as an account; parameters.",
            valueName: "name"),
        completion: .custom { words, _, typed in ReportCompletion.words(behind: words, typed: typed) })
    var words: [String] = []

    @OptionGroup var target: DatabaseOption

    @Option(
        name: .customLong("param"), parsing: .singleValue,
        help: .rare("Set a parameter, as the word name=value does. Repeatable.", valueName: "name=value"),
        completion: .custom { words, _, typed in ReportCompletion.settings(for: words, typed: typed) })
    private var parameters: [ReportSetting] = []

    /// The parameters that the words and the options set.
    var settings: [ReportSetting] { words.compactMap(ReportSetting.init(word:)) + parameters }

    /// The report's name: the first word that sets no parameter.
    var name: String? { words.first { ReportSetting(word: $0) == nil } }

    /// What the report is about, such as a customer: the words after its name that set no parameter.
    var subjects: [String] { Array(words.filter { ReportSetting(word: $0) == nil }.dropFirst()) }

    @Option(
        help: ArgumentHelp(
            "How to write it, a table unless set, with --all csv; --list as text or json.",
            valueName: "format"))
    var format: ReportAnswerFormat?

    @Option(
        help: ArgumentHelp(
            "The columns to write, in this order, or all; unless set, a table and HTML have the main ones, other formats all.",
            valueName: "names"),
        completion: .custom { words, _, typed in ReportCompletion.columns(for: words, typed: typed) })
    var columns: String?

    @Flag(help: .json)
    var json = false

    var resolvedFormat: ReportAnswerFormat? { json ? .json : format }

    @Flag(
        help: .rare(
            "In CSV, TSV and Markdown, write texts as they are: what a spreadsheet would run without an apostrophe before "
                + "it, and control characters and marks of direction unescaped."))
    var exact = false

    @Option(
        help: ArgumentHelp(
            "Write to a file in its ending's format, or a folder.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Rates for into_currency=… in this run, in place of those that receiptmill refresh keeps.",
            valueName: "file"), completion: .file())
    var rates: String?

    @Option(
        help: .rare(
            "What the store keeps of sales, for reports of proceeds, in place of the card that receiptmill refresh stores: "
                + "YAML as pipelines/rate-card.yaml.", valueName: "file"), completion: .file())
    var rateCard: String?

    @Flag(help: .rare("Add what the store passes on to reports that have it as columns: proceeds=1."))
    var proceeds = false

    @Option(
        help: .rare(
            "Write names, types, units and meanings of the columns to a file, as JSON of the standard Table Schema: with it, versions such as 1.10 stay text in pandas.",
            valueName: "file"), completion: .file())
    var schema: String?

    @Option(
        help: .rare(
            "In HTML, let accounts, devices, receipts and transactions lead to their cases: the address of the database in Datasette, such as http://127.0.0.1:8001/mill.",
            valueName: "address"))
    var caseLinks: String?

    @Option(help: .rare("Stop a query that takes longer.", valueName: "seconds"))
    var timeout: Double?

    @Flag(help: .rare("End with status 1 if there are rows, for alarms."))
    var failIfRows = false

    @Flag(help: "Run every report that needs no subject, each into a file of its name.")
    var all = false

    @Option(
        name: .customLong("html-dashboard"),
        help: ArgumentHelp(
            "Write key figures and charts as one page; parameters are environment, bundle, from, until and into_currency.",
            valueName: "file"), completion: .file())
    var dashboard: String?

    @Option(
        help: .rare("A folder of reports that go before those built in.", valueName: "folder"),
        completion: .directory)
    var sql: String?

    @Flag(help: "List the reports.")
    var list = false

    @Flag(help: "Say what a report answers, its parameters and its columns.")
    var describe = false

    @Flag(name: .customLong("show-sql"), help: "Print a report's SQL.")
    var showSQL = false

    func validate() throws {
        guard [list, describe, showSQL, all, dashboard != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --list, --describe, --show-sql, --all and --html-dashboard.")
        }
        if json, let format, format != .json { throw ValidationError("--json goes with no other --format") }
        guard subjects.count <= 1 else {
            throw ValidationError(
                "A report is about one thing, and parameters have the form name=value: \(subjects[1])?")
        }
        try mode.check(self)
        if let timeout, !(timeout > 0 && timeout <= Self.maximumTimeout) {
            throw ValidationError("--timeout is a number of seconds, up to \(Int(Self.maximumTimeout)).")
        }
    }

    func run() throws {
        let catalog = try sql.map(ReportCatalog.init(folder:)) ?? ReportCatalog()
        // A misspelt name is reported before a database is looked for.
        let report = try name.map(catalog.report(named:))
        try checkOutputs()
        if list { return try write(listOf: catalog) }
        if all { return try runAll(catalog) }
        if let dashboard { return try write(Dashboard(catalog), to: dashboard) }
        guard let report else { return }
        if describe {
            try write { try $0(ReportListing.description(of: report)) }
        } else if showSQL {
            try write { try $0(report.sql) }
        } else {
            let rows = try run(report)
            if failIfRows, rows > 0 { throw ExitCode(1) }
        }
    }

    /// Lists every report that can be read, and reports the others on standard error; the first failure decides the
    /// exit status.
    private func write(listOf catalog: ReportCatalog) throws {
        var reports: [Report] = []
        let failure = try eachReport(of: catalog) { reports.append($0) }
        try write { try $0(resolvedFormat == .json ? ReportListing.json(reports) : ReportListing.text(reports)) }
        if let failure { throw ExitCode(failure.exitStatus.rawValue) }
    }

    /// Calls `body` with each report. Reports that can't be read or with which `body` fails are reported on standard
    /// error.
    ///
    /// - Returns: the first failure.
    private func eachReport(of catalog: ReportCatalog, _ body: (Report) throws -> Void) throws -> MillError? {
        var failure: MillError?
        for name in catalog.names {
            do {
                try body(catalog.report(named: name))
            } catch let error as MillError {
                Console.complain(error.description)
                failure = failure ?? error
            }
        }
        return failure
    }

    private func checkOutputs() throws {
        var files = OutputGuard(database: list || describe || showSQL ? target.named : try target.path)
        if let rates { files.protect(rates, as: "the list of rates") }
        if let rateCard { files.protect(rateCard, as: "the rate card") }
        if let dashboard { try files.claim(dashboard, as: .dashboard) }
        if let output { try files.claim(output, as: .report) }
        if let schema { try files.claim(schema, as: .schema) }
    }

    /// The longest time limit in seconds: more than a day.
    private static let maximumTimeout: Double = 100_000

    /// What a report is about, such as a customer. For a report that needs such a subject, a word with `=` counts as
    /// one if it sets none of the report's parameters.
    private func subject(of report: Report) -> String? {
        guard subjects.isEmpty, report.header.parameters.contains(where: \.isRequired) else { return subjects.first }
        let names = Set(report.parameters.map(\.name))
        return settings.first { $0.word != nil && !names.contains($0.name) }?.word
    }

    /// The parameters that are set, including the one that the flag `--proceeds` sets.
    private func asked(of report: Report) -> [(name: String, text: String)] {
        let subject = subject(of: report)
        let given = settings.filter { $0.word == nil || $0.word != subject }.map { (name: $0.name, text: $0.text) }
        let name = ReportRun.proceedsParameter
        guard proceeds, report.parameters.contains(where: { $0.name == name }),
            !given.contains(where: { $0.name == name })
        else { return given }
        return given + [(name, "1")]
    }

    /// - Returns: the number of the report's rows.
    private func run(_ report: Report) throws -> Int {
        // The session's error is thrown only later, so that a fault of a parameter is reported before a fault of the
        // database.
        let session = Result { try ReportSession(database: target.path) }
        var run = try ReportRun(
            report, settings: asked(of: report), subject: subject(of: report), today: RelativeTime.today(of: session))
        run.rates = try rates.map { try RateList(path: $0) }
        if rates != nil, !run.readsRates { Console.complain("warning: the report \(report.name) reads no rates") }
        run.rateCard = try rateCard.map { (path) throws(MillError) in try RateCard(path: path) }
        if rateCard != nil || proceeds, !run.readsEarnings {
            Console.complain("warning: the report \(report.name) has no proceeds")
        }
        run.saysWhyEmpty = !failIfRows
        run.columns = try columns.map { try ColumnChoice($0, of: report, optional: run.asksForProceeds) } ?? .main
        run.timeoutSeconds = timeout
        run.isExact = exact
        run.caseLinks = try caseLinks.map(CaseLinks.init(address:))
        let format =
            resolvedFormat.flatMap { ReportFormatName(rawValue: $0.rawValue) } ?? output.flatMap(
                ReportFormatName.init(endingOf:)) ?? .table
        let layout = output == nil ? TableLayout(width: Console.width(), isStyled: Console.isStyled) : TableLayout()
        var rows = 0
        // Control characters in a table's cells are escaped already, and the headings of a table may be bold.
        try write(isStyled: format == .table) { sink in
            rows = try run.write(
                in: session.get(), as: format, layout: layout, warn: { Console.complain($0.description) }, to: sink)
        }
        if let schema {
            try OutputFile.write(to: schema) { try $0(run.writtenHeader.tableSchema(as: format)) }
        }
        return rows
    }

    /// Writes every report into a folder. If a report fails, the others are still written, and the first failure
    /// decides the exit status.
    private func runAll(_ catalog: ReportCatalog) throws {
        let folder = output ?? ""
        let caseLinks = try caseLinks.map(CaseLinks.init(address:))
        let card = try rateCard.map { (path) throws(MillError) in try RateCard(path: path) }
        /// The run of a report; nil for a report that needs a subject.
        func run(of report: Report) throws -> ReportRun? {
            if report.header.parameters.contains(where: \.isRequired) { return nil }
            var run = try ReportRun(report, settings: asked(of: report))
            run.rateCard = card
            run.timeoutSeconds = timeout
            run.isExact = exact
            run.caseLinks = caseLinks
            return run
        }
        let session = try ReportSession(database: target.path, isBounded: true)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw MillError(
                stage: .reporting, path: folder, what: "the folder can't be made",
                hint: "give --output a folder that you may write in", exitStatus: .cannotCreate)
        }
        let format = resolvedFormat.flatMap { ReportFormatName(rawValue: $0.rawValue) } ?? .csv
        var hasRows = false
        var warnings: Set<ReportWarning> = []
        let failure = try eachReport(of: catalog) { report in
            guard let run = try run(of: report) else { return }
            try OutputFile.write(to: "\(folder)/\(report.name).\(format.fileExtension)") { sink in
                // Many reports may give the same warning; each warning is shown once.
                let warn = { (warning: ReportWarning) in
                    if warnings.insert(warning).inserted { Console.complain(warning.description) }
                }
                let rows = try run.write(in: session, as: format, warn: warn, to: sink)
                hasRows = hasRows || rows > 0
            }
        }
        if let failure { throw ExitCode(failure.exitStatus.rawValue) }
        if failIfRows, hasRows { throw ExitCode(1) }
    }

    private func write(_ dashboard: Dashboard, to path: String) throws {
        var dashboard = dashboard
        dashboard.timeoutSeconds = timeout
        dashboard.settings = settings.map { ($0.name, $0.text) }
        dashboard.rates = try rates.map { try RateList(path: $0) }
        let session = try ReportSession(database: target.path, isBounded: true)
        try OutputFile.write(to: path) {
            try dashboard.write(in: session, warn: { Console.complain($0.description) }, to: $0)
        }
    }

    private func write(
        isStyled: Bool = false, _ body: (_ sink: (String) throws -> Void) throws -> Void
    ) throws {
        if let output {
            try OutputFile.write(to: output, body)
        } else {
            try Pager.write(isStyled: isStyled, body)
        }
    }
}

/// The values of `receiptmill report --format`.
enum ReportAnswerFormat: String, CaseIterable, ExpressibleByArgument {
    case table, csv, tsv, json, jsonl, markdown, html, text
}
