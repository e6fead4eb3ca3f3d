internal import GRDB
import MillTestSupport
internal import Testing

@testable import MillConfiguration
@testable import MillDatabase
@testable import MillSystem
@testable import ReceiptReports
@testable import ReportHeaders

/// Views that every report reads as far as it is asked for, without a word of that in its file.
@Suite struct StandardFilterTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase(rows: filterRows) }

    /// A report of one column.
    static func report(_ statement: String, parameters: [String] = []) throws -> Report {
        let lines =
            ["-- mine: Mine", "-- What?", "-- Grain: one row per n"]
            + (parameters.isEmpty ? [] : ["-- Parameters:"] + parameters.map { "--   " + $0 })
            + ["-- Columns:", "--   n  text  a text", "-- Example:", "--   receiptmill report mine", statement]
        return try Report(
            sql: lines.joined(separator: "\n"), fileName: "mine", topic: nil, origin: .init(path: "mine.sql"))
    }

    private func rows(
        _ statement: String, _ settings: [(name: String, text: String)] = [], parameters: [String] = []
    ) throws -> String {
        let report = try Self.report(statement, parameters: parameters)
        return try database.output(of: report, with: settings).split(separator: "\r\n").dropFirst().joined(
            separator: " ")
    }

    private static let apps = "SELECT app_id AS n FROM apps ORDER BY app_id"
    private static let months = "SELECT min(month) || ' to ' || max(month) || ': ' || count(*) AS n FROM months"
    private static let monthsOfApps = months + " WHERE EXISTS (SELECT 1 FROM apps)"

    @Test(
        "A statement that names apps sees those of the environments and of the app asked for, of production by default",
        arguments: [
            ([], "1 4"), ([("environment", "Sandbox")], "2"), ([("environment", "all")], "1 2 3 4"),
            ([("environment", "Sandbox, (none)")], "2 3"), ([("bundle", "com.example.chess")], "4"),
            ([("bundle", "com.example.chess"), ("environment", "all")], "3 4"), ([("bundle", "all")], "1 4"),
            ([("bundle", "it's")], ""),
        ] as [([(String, String)], String)])
    func apps(settings: [(String, String)], rows: String) throws {
        #expect(try self.rows(Self.apps, settings.map { (name: $0, text: $1) }) == rows)
    }

    // A document of a month's last second closes the month.
    @Test("An app has the moment and the month of its newest document, and (none) for what no document states")
    func columns() throws {
        let columns = "environment || ' ' || bundle_id || ' ' || as_of || ' ' || last_month || ' ' || complete_month"
        #expect(
            try rows("SELECT \(columns) AS n FROM apps ORDER BY 1", [("environment", "Sandbox,(none)")])
                == "(none) com.example.chess 2023-01-01T00:00:00Z 24276 24275 "
                + "Sandbox com.example.cards 2025-01-31T23:59:59Z 24300 24300")
    }

    @Test(
        "A statement that names months sees the 13 up to the newest document of the apps asked for, unless others are",
        arguments: [
            ([], "2023-03 to 2024-03: 13"), ([("environment", "all")], "2024-01 to 2025-01: 13"),
            ([("bundle", "com.example.chess")], "2021-06 to 2022-06: 13"),
            ([("from", "2024-02")], "2024-02 to 2024-03: 2"),
            ([("until", "2023-02")], "2022-02 to 2023-02: 13"), ([("from", "all")], "2008-01 to 2024-03: 195"),
            ([("until", "all")], "2023-03 to 2040-12: 214"),
            ([("from", "all"), ("until", "all")], "2008-01 to 2040-12: 396"),
            ([("from", "2020-12"), ("until", "2021-01")], "2020-12 to 2021-01: 2"), ([("from", "2024-04")], ""),
            ([("from", "all"), ("until", "2008-02")], "2008-01 to 2008-02: 2"), ([("bundle", "com.example.none")], ""),
        ] as [([(String, String)], String)])
    func months(settings: [(String, String)], rows: String) throws {
        #expect(
            try self.rows(Self.monthsOfApps, settings.map { (name: $0, text: $1) }).trimmed
                == (rows.isEmpty ? "" : rows))
    }

    @Test("Months without apps are those up to the newest document of all, and take no environment")
    func monthsAlone() throws {
        #expect(try rows(Self.months) == "2024-01 to 2025-01: 13")
        #expect(try Self.report(Self.months).parameters.map(\.name) == ["from", "until"])
    }

    @Test("A run does not see what an earlier one on the same connection was narrowed to")
    func session() throws {
        let (narrow, wide) = (try Self.report(Self.monthsOfApps), try Self.report(Self.months))
        let session = try ReportSession(database: database.path)
        var text = ""
        try ReportRun(narrow, settings: [("bundle", "com.example.chess")]).write(in: session, as: .csv) { text += $0 }
        try ReportRun(wide).write(in: session, as: .csv) { text += $0 }
        try ReportRun(narrow).write(in: session, as: .csv) { text += $0 }
        #expect(
            text == csv("n\n2021-06 to 2022-06: 13\nn\n2024-01 to 2025-01: 13\nn\n2023-03 to 2024-03: 13\n"))
    }

    @Test("What the file declares itself is its own, and narrows nothing before it")
    func declared() throws {
        #expect(
            try rows(
                "SELECT app_id AS n FROM apps WHERE environment = coalesce(:environment, 'Sandbox')",
                parameters: [":environment  environments  Sandbox  environments"]) == "2")
        #expect(
            try rows(
                "SELECT count(*) || coalesce(:from, '') AS n FROM months", [("until", "2008-02")],
                parameters: [":from  month  null  first"]) == "2")
    }

    @Test(
        "The names that a statement defines, those of a schema and those of columns are no views",
        arguments: [
            ("WITH apps AS (SELECT 1 AS n) SELECT n FROM apps", []),
            ("WITH x AS (SELECT 1), apps(n) AS MATERIALIZED (SELECT 2) SELECT n FROM x JOIN apps", []),
            ("SELECT months AS n, apps FROM main.apps AS rates", []),
            ("SELECT apps.n FROM x AS apps, months", ["from", "until"]),
            ("SELECT 1 AS n FROM (SELECT 1 FROM x WHERE EXISTS (SELECT 1 FROM APPS))", ["environment", "bundle"]),
            ("SELECT 1 AS n FROM x JOIN y ON f(x.a, months) = 1, rates", ["into_currency"]),
            ("SELECT 1 AS n FROM (x JOIN apps) WHERE a IN (b, months)", ["environment", "bundle"]),
            ("SELECT ' FROM months' AS n -- FROM apps\nFROM apps(1)", []),
        ])
    func names(statement: String, parameters: [String]) throws {
        #expect(try Self.report(statement).parameters.map(\.name) == parameters)
    }

    @Test("A month is refused where it is none, and where the last comes before the first")
    func refused() throws {
        func what(_ settings: [(name: String, text: String)]) throws -> String? {
            let report = try Self.report(Self.months)
            return #expect(throws: MillError.self) { _ = try ReportRun(report, settings: settings) }?.what
        }
        #expect(
            try what([("from", "2024-13")])
                == "from=2024-13: the value is not a month such as 2024-02, a day of it, or all")
        #expect(
            try what([("from", "2024-02"), ("until", "2024-01")])
                == "until=2024-01: the value is before from, which is 2024-02")
        #expect(
            try ReportRun(Self.report(Self.months), settings: [("from", "all"), ("until", "2024-01")]).values.count == 2
        )
        let month = try ReportRun(Self.report(Self.months), settings: [("from", "last-2-months")], today: 19_813)
        #expect(month.values == ["from": .text("2024-01")])
    }

    @Test("The parameters are listed and described like those of the file, with the view that they filter")
    func listed() throws {
        let report = try Self.report(
            "SELECT :most AS n FROM apps, months, rates", parameters: [":most  integer  3  how many"])
        #expect(
            report.parameters.map(\.name) == ["environment", "bundle", "from", "until", "into_currency", "most"])
        let json = ReportListing.json([report])
        #expect(
            json.contains(
                #"{"name":"environment","type":"environments","default":"Production","required":false,"#
                    + #""meaning":"environments counted, separated by commas; or all","filters":"apps"}"#))
        #expect(json.contains(#""meaning":"how many","filters":null}"#))
        #expect(ReportListing.description(of: report).contains("\n  environment    environments  Production  "))
        let near = #expect(throws: MillError.self) { _ = try ReportRun(report, settings: [("bundel", "x")]) }
        #expect(near?.hint?.hasPrefix("did you mean bundle?") == true)
    }

    @Test("A run's own rates into the currency asked for are there for each day on which they hold")
    func rates() throws {
        let database = try SampleDatabase(rows: filterRows)
        let statement = """
            SELECT currency || ' ' || into_currency || ' ' || rate || ' ' || min(day_number) || ' ' || max(day_number)
                || ' ' || count(*) AS n
            FROM rates GROUP BY currency, into_currency, rate ORDER BY 1
            """
        let file = try database.write(
            """
            valid_from,currency,into_currency,rate
            2024-02-01,USD,EUR,0.75
            2024-01-01,USD,EUR,0.5
            2024-01-01,USD,GBP,0.25
            2024-01-02,JPY,EUR,0.125
            """, to: "rates.csv")
        func answer(_ currency: String?) throws -> String {
            var run = try ReportRun(Self.report(statement), settings: currency.map { [("into_currency", $0)] } ?? [])
            run.rates = try RateList(path: file)
            var text = ""
            try run.write(in: ReportSession(database: database.path), as: .csv) { text += $0 }
            return text
        }
        // From a shell: date --date 2024-01-01 +%s, divided by 86,400, is 19,723; 2040-12-31 is 25,932.
        #expect(
            try answer("eur")
                == csv(
                    """
                    n
                    GBP EUR 2.0 19723 19753 31
                    GBP EUR 3.0 19754 25932 6179
                    JPY EUR 0.125 19724 25932 6209
                    USD EUR 0.5 19723 19753 31
                    USD EUR 0.75 19754 25932 6179
                    """))
        #expect(try answer("none") == "n\r\n")
        #expect(try rows(statement, [("into_currency", "EUR")]) == "")
    }

    // 0.8 ÷ 1.25 is 0.64, and 1 ÷ 1.25 is 0.8.
    @Test(
        "Rates that the database keeps convert into their currency, and by way of it into any other that they have",
        arguments: [
            (String?.none, ["GBP EUR 1.25", "USD EUR 0.8"]), ("EUR", ["GBP EUR 1.25", "USD EUR 0.8"]),
            ("GBP", ["EUR GBP 0.8", "USD GBP 0.64"]), ("JPY", []), ("none", []),
        ])
    func keptRates(currency: String?, expected: [String]) throws {
        let rows =
            "INSERT INTO exchange_rate VALUES ('USD', 19800, 'EUR', 0.8), ('GBP', 19800, 'EUR', 1.25), "
            + "('USD', 19801, 'EUR', 0.5);"
        let statement = """
            SELECT currency || ' ' || into_currency || ' ' || rate AS n FROM rates WHERE day_number = 19800 ORDER BY 1
            """
        let settings = currency.map { [(name: "into_currency", text: $0)] } ?? []
        let output = try SampleDatabase(rows: filterRows + rows).output(of: Self.report(statement), with: settings)
        #expect(output.split(separator: "\r\n").dropFirst().map(String.init) == expected)
    }

    @Test("Every filter can be read")
    func filters() { #expect(StandardFilter.all.map(\.view) == ["apps", "months", "rates"]) }
}
