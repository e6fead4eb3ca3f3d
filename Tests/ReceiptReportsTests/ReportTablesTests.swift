internal import Foundation
import MillTestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptReports
@testable import ReportHeaders

/// What people see of a report: main columns within a line, sums, triangles; and the columns that anyone asks for.
@Suite struct ReportTablesTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase() }

    private static func report(_ columns: [String], _ sections: [String], grain: String, _ statement: String) throws
        -> Report
    {
        let lines =
            ["-- mine: Mine", "-- What?", "-- Grain: one row per \(grain)", "-- Columns:"]
            + columns.map { "--   \($0)  meaning" } + sections.map { "-- " + $0 }
            + ["-- Example:", "--   receiptmill report mine", "", statement]
        return try Report(
            sql: lines.joined(separator: "\n"), fileName: "mine", topic: nil, origin: .init(path: "mine.sql"))
    }

    private func output(
        of report: Report, _ format: ReportFormatName, columns: String? = nil, width: Int? = nil
    ) throws -> String {
        var run = try ReportRun(report)
        run.columns = try columns.map { try ColumnChoice($0, of: report) } ?? .main
        var text = ""
        try run.write(in: ReportSession(database: database.path), as: format, layout: TableLayout(width: width)) {
            text += $0
        }
        return text
    }

    private static let sales = """
        SELECT column1 AS month, column2 AS product_id, column3 AS currency, column4 AS sales, column5 AS net FROM (VALUES
            ('2024-01', 'gold', 'EUR', 2, 19980), ('2024-01', 'gold', 'JPY', 1, 1200000),
            ('2024-02', 'gems', 'EUR', 3, -990), ('2024-02', 'gems', '(none)', 4, NULL))
        """
    private static func sales(_ sections: [String]) throws -> Report {
        try report(
            ["month  month", "product_id  text", "currency  text", "sales  integer", "net  money(currency)"], sections,
            grain: "month, product_id, currency", sales)
    }

    @Test("A table shows the main columns and ends in a row of sums for each currency, CSV has all columns and no sums")
    func totals() throws {
        let report = try Self.sales(["Shown: month, currency, sales, net", "Total: sales, net"])
        #expect(
            try output(of: report, .table) == """
                Mine
                What?
                Days and months are those of UTC.

                month    currency  sales    net
                ───────  ────────  ─────  ─────
                2024-01  EUR           2  19.98
                2024-01  JPY           1  1,200
                2024-02  EUR           3  -0.99
                2024-02  (none)        4      –
                ───────  ────────  ─────  ─────
                total    EUR           5  18.99
                total    JPY           1  1,200
                total    (none)        4      –

                4 rows; 4 of 5 columns, --columns all shows all

                """)
        #expect(
            try output(of: report, .csv)
                == csv(
                    """
                    month,product_id,currency,sales,net
                    2024-01,gold,EUR,2,19.98
                    2024-01,gold,JPY,1,1200
                    2024-02,gems,EUR,3,-0.99
                    2024-02,gems,(none),4,
                    """))
        let page = try output(of: report, .html)
        #expect(
            page.contains(
                "<tfoot>\n<tr><td>total</td><td>EUR</td><td class=\"number\">5</td><td class=\"number\">18.99</td></tr>\n"
            ))
        #expect(!page.contains("<td>gold</td>"))
    }

    @Test("Sums that no number holds, or that mix currencies of two columns, are left out")
    func noTotals() throws {
        let great = try Self.report(
            ["place  integer", "amount  integer"], ["Total: amount"], grain: "place",
            "SELECT 1 AS place, 9223372036854775807 AS amount UNION ALL SELECT 2, 1")
        #expect(try output(of: great, .table).contains("    2                    1\n\n2 rows\n"))
        let one = try Self.report(
            ["place  integer", "amount  integer"], ["Total: amount"], grain: "place", "SELECT 1 AS place, 5 AS amount")
        #expect(try output(of: one, .table).contains("    1       5\n\n1 row\n"))
    }

    @Test(
        "The columns that are named are written in their order, in any format",
        arguments: [
            (.csv, "net,month\r\n19.98,2024-01\r\n"), (.tsv, "net\tmonth\n19.98\t2024-01\n"),
            (.json, #"[{"net":19.98,"month":"2024-01"},"#), (.jsonl, #"{"net":19.98,"month":"2024-01"}"#),
            (.markdown, "| net | month |\n| ---: | --- |\n| 19.98 | 2024-01 |\n"),
            (.table, "  net  month\n─────  ───────\n19.98  2024-01\n"),
            (.html, "<tr><td class=\"number\">19.98</td><td>2024-01</td></tr>"),
        ] as [(ReportFormatName, String)])
    func named(format: ReportFormatName, text: String) throws {
        let output = try output(of: Self.sales(["Shown: month, sales"]), format, columns: "net, month")
        #expect(output.replacing("[\n  {", with: "[{").contains(text))
    }

    @Test("All columns are written where that is asked for, and a schema is of those that are written")
    func all() throws {
        let report = try Self.sales(["Shown: month, sales"])
        #expect(
            try output(of: report, .table, columns: "all").contains("month    product_id  currency  sales    net\n"))
        #expect(try output(of: report, .csv, columns: "all") == output(of: report, .csv))
        var run = try ReportRun(report)
        run.columns = try ColumnChoice("net,month", of: report)
        let schema = run.writtenHeader.tableSchema(as: .csv)
        #expect(schema.split(separator: "\"name\":").dropFirst().map { $0.prefix(5) } == ["\"net\"", "\"mont"])
        #expect(schema.contains("\"primaryKey\": []"))
    }

    @Test(
        "A column that the report lacks, or that is named twice, is refused",
        arguments: [
            ("month,nett", "the report mine has no column nett"), ("", "the report mine has no column "),
            ("net,month,net", "the column net is named twice"), ("all,net", "the report mine has no column all"),
        ])
    func refused(text: String, what: String) throws {
        let report = try Self.sales([])
        let error = #expect(throws: MillError.self) { try ColumnChoice(text, of: report) }
        #expect(error?.what == what)
        #expect(error?.exitStatus == .usage)
    }

    /// Twelve columns of identifiers and numbers; senders choose how long the identifiers are.
    private static func wide(_ length: Int) throws -> Report {
        let columns = (1...12).map { "column_\($0)  \($0 % 2 == 0 ? "integer" : "text")" }
        let values = (1...12).map { place in
            place % 2 == 0 ? "\(place) AS column_\(place)" : "printf('%.*c', \(length), '7') AS column_\(place)"
        }
        return try report(columns, [], grain: "column_1", "SELECT " + values.joined(separator: ", "))
    }

    @Test(
        "A table fits 120 columns, or the terminal: identifiers lose their middle, then the last columns are left out",
        arguments: [(1, nil, 10), (50, nil, 10), (100_000, nil, 10), (50, 60, 5), (50, 5, 1)] as [(Int, Int?, Int)])
    func fits(length: Int, width: Int?, count: Int) throws {
        let text = try output(of: Self.wide(length), .table, width: width)
        let lines = text.split(separator: "\n").dropFirst(2)
        #expect(lines.first?.split(separator: " ").count == count)
        #expect(lines.dropLast().allSatisfy { TerminalText.width(of: String($0)) <= max(width ?? 120, 12) })
        #expect(lines.last == "1 row; \(count) of 12 columns, --columns all shows all")
        #expect(lines.dropLast().contains { $0.contains("…") } == (length > 12))
    }

    @Test("Where a line is short, words stay whole, headings and sentences are wrapped, and times end with the minute")
    func readable() throws {
        let report = try Self.report(
            ["signal  text", "made_on  time", "other_parties  integer", "detail  text"], [], grain: "signal",
            """
            SELECT 'shared_account_token' AS signal, '2026-03-01T07:05:09Z' AS made_on, 2 AS other_parties,
                'two accounts presented purchases with this token' AS detail
            UNION ALL SELECT 'burst', NULL, 0, 'many lines within minutes'
            """)
        let lines = try output(of: report, .table, width: 75).split(separator: "\n").dropFirst(2)
        #expect(
            lines.map(String.init) == [
                "                                           other_",
                "signal                made_on             parties  detail",
                "────────────────────  ─────────────────  ────────  ────────────────────────",
                "shared_account_token  2026-03-01 07:05Z         2  two accounts presented",
                "                                                   purchases with this",
                "                                                   token",
                "burst                 –                         0  many lines within",
                "                                                   minutes",
                "2 rows",
            ])
    }

    @Test("Identifiers that begin alike are told apart where they are cut")
    func identifiers() throws {
        let report = try Self.report(
            ["product_id  text"], [], grain: "product_id",
            "SELECT 'com.example.cards.subscription.gold' AS product_id UNION ALL SELECT 'com.example.cards.subscription.gems'"
        )
        let text = try output(of: report, .table, width: 12)
        #expect(text.contains("\ncom…ion.gold\ncom…ion.gems\n"))
    }

    private static let cohorts = """
        SELECT column1 AS cohort, column2 AS age, column3 AS bundle_id, column4 AS retention FROM (VALUES
            ('2024-01', 0, 'cards', 1.0), ('2024-01', 1, 'cards', 0.625), ('2024-01', 10, 'cards', 0.5),
            ('2024-01', 2, 'cards', NULL), ('2024-02', 0, 'cards', 1.0), ('2024-02', 1, 'chess', 0.25),
            ('2024-02', 0, 'chess', 1.0))
        """

    @Test("Cohorts are lines and ages columns, in a table and in HTML; a cell that nobody knows is empty, never 0")
    func triangle() throws {
        let report = try Self.report(
            ["cohort  month", "age  integer", "bundle_id  text", "retention  share"],
            ["Triangle: rows=cohort  columns=age  value=retention"], grain: "cohort, age, bundle_id", Self.cohorts)
        #expect(
            try output(of: report, .table) == """
                Mine
                What?
                Days and months are those of UTC.

                cards
                cohort \\ age      0       1  2    10
                ────────────  ─────  ──────  ─  ────
                2024-01       100 %  62.5 %     50 %
                2024-02       100 %

                chess
                cohort \\ age      0     1
                ────────────  ─────  ────
                2024-02       100 %  25 %

                7 rows

                """)
        let page = try output(of: report, .html)
        #expect(page.contains("<caption>cards</caption>"))
        #expect(
            page.contains(
                "<tr><th scope=\"row\">2024-01</th><td class=\"number\">100 %</td><td class=\"number\">62.5 %</td>"
                    + "<td class=\"number\"></td><td class=\"number\">50 %</td></tr>"))
        #expect(try output(of: report, .csv).hasPrefix("cohort,age,bundle_id,retention\r\n2024-01,0,cards,1.0\r\n"))
        #expect(
            try output(of: report, .table, columns: "age,cohort").contains("age  cohort\n───  ───────\n  0  2024-01\n"))
    }

    @Test("A triangle of money has one grid for each currency, and as many ages as fit a line")
    func triangleOfMoney() throws {
        let report = try Self.report(
            ["cohort  month", "age  integer", "currency  text", "net  money(currency)"],
            ["Triangle: rows=cohort  columns=age  value=net"], grain: "cohort, age, currency",
            """
            WITH RECURSIVE ages (age) AS (SELECT 0 UNION ALL SELECT age + 1 FROM ages WHERE age < 99)
            SELECT '2024-01' AS cohort, age, currency, 1000000 AS net
            FROM ages JOIN (SELECT 'EUR' AS currency UNION ALL SELECT 'JPY')
            """)
        let text = try output(of: report, .table)
        let lines = text.split(separator: "\n")
        #expect(lines.contains("EUR") && lines.contains("JPY"))
        #expect(lines.allSatisfy { $0.count <= 120 })
        // 12 for the cohort, then 10 for each 1,000.00 and the space before it, or 7 for each 1,000.
        #expect(lines.contains("the first 10 of 100 columns; --format csv has all"))
        #expect(lines.contains("the first 15 of 100 columns; --format csv has all"))
    }

    @Test("A report is found by its other names, unless a report has that name itself")
    func aliases() throws {
        func text(_ name: String, _ aliases: String) -> String {
            "-- \(name): Mine\n-- What?\n-- Aliases: \(aliases)\n-- Grain: one row per n\n-- Columns:\n--   n  integer  n\n"
                + "-- Example:\n--   receiptmill report \(name)\nSELECT 1 AS n"
        }
        _ = try database.write(text("one", "uno, refunds"), to: "own/one.sql")
        _ = try database.write(text("two", "uno, due"), to: "own/two.sql")
        _ = try database.write("-- Aliases: broken\n", to: "own/three.sql")
        let catalog = try ReportCatalog(folder: database.folder.appending(path: "own").path)
        #expect(try catalog.report(named: "uno").name == "one")
        #expect(try catalog.report(named: "due").name == "two")
        #expect(try catalog.report(named: "refunds").name == "refunds")
        let error = #expect(throws: MillError.self) { try catalog.report(named: "duo") }
        #expect(error?.hint?.contains("due") == true)
        #expect(ReportListing.json([try catalog.report(named: "uno")]).contains(#""aliases":["uno","refunds"]"#))
        #expect(try ReportListing.description(of: catalog.report(named: "due")).contains("Also found as uno, due.\n"))
    }

    /// Names as long as real ones get.
    private static let longNames = Result {
        try SampleDatabase(
            rows: sampleRows + """
                UPDATE app SET bundle_id = 'com.example.of.a.company.with.a.long.name.applications.' || bundle_id;
                UPDATE app_setting SET bundle_id = 'com.example.of.a.company.with.a.long.name.applications.' || bundle_id;
                UPDATE product SET product_id = 'com.example.of.a.company.with.a.long.name.subscription.yearly.' || product_id;
                UPDATE submission SET account_id = 'd7a2e6f0-1111-4222-8333-944455556666.' || account_id;
                """)
    }

    @Test("Every report shows at most eleven columns, and a table of it fits 120", arguments: ReportCatalog().names)
    func builtIn(name: String) throws {
        let report = try ReportCatalog().report(named: name)
        let header = report.header
        #expect((1...11).contains(header.places(of: .main).count))
        let settings = report.parameters.compactMap { parameter -> (name: String, text: String)? in
            if parameter.isRequired { return (parameter.name, "d7a2e6f0-1111-4222-8333-944455556666.ann") }
            if parameter.kind == .environments { return (parameter.name, "all") }
            return parameter.kind == .monthOrAll && parameter.name == "from" ? (parameter.name, "all") : nil
        }
        let text = try Self.longNames.get().output(of: report, with: settings, as: .table)
        // The title and the question are sentences.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).drop(while: { !$0.isEmpty }) {
            #expect(TerminalText.width(of: String(line)) <= 120, "\(line)")
        }
    }

    @Test(
        "Reports are found by what people call their figures",
        arguments: [
            ("recurring-revenue", "mrr, arr, run-rate, mrr-movement, nrr, quick-ratio, arpa, reactivation"),
            ("active-subscriptions", "actives, subscribers, status, active-trials"),
            ("new-subscriptions", "activations, new-paid, new-trials"),
            ("subscription-churn", "churn, attrition, lapses, win-back"), ("renewal-rate", "renewals"),
            ("subscription-retention", "retention, cohorts, survival"), ("trial-conversion", "trials, trial-to-paid"),
            ("billing-recovery", "billing-retry, grace, dunning, involuntary-churn"),
            ("revenue", "sales, gross, net"), ("refunds", "refund-rate, refund-money"),
            ("customer-value", "ltv, clv, realized-ltv, cohort-explorer"),
            ("plan-changes", "upgrades, downgrades, crossgrades"),
        ])
    func builtInAliases(name: String, aliases: String) throws {
        for alias in aliases.components(separatedBy: ", ") {
            #expect(try ReportCatalog().report(named: alias).name == name, "\(alias)")
        }
    }

    @Test("No name finds two reports")
    func distinctAliases() throws {
        let reports = try ReportCatalog().names.map { try ReportCatalog().report(named: $0) }
        let names = reports.flatMap { [$0.name] + $0.header.aliases }
        #expect(Set(names).count == names.count, "\(names.filter { name in names.count { $0 == name } > 1 })")
    }

    @Test("What tells money can be converted: every such report takes into_currency")
    func convertible() throws {
        for name in ReportCatalog().names {
            let report = try ReportCatalog().report(named: name)
            guard report.header.columns.contains(where: { $0.kind == .money }) else { continue }
            #expect(report.parameters.contains { $0.name == ReportCurrency.parameter }, "\(name)")
        }
    }
}
