import MillTestSupport
internal import Testing

@testable import MillDatabase
@testable import MillSystem
@testable import ReceiptReports

/// A report that shows nothing says why, as does one that could not convert all.
@Suite struct NoRowsTests {
    private static func report(_ statement: String, column: String = "n  integer", parameters: String = "") throws
        -> Report
    {
        try Report(
            sql: "-- mine: Mine\n-- What?\n-- Grain: one row per n\n\(parameters)-- Columns:\n--   \(column)  n\n"
                + "--   currency  text  currency\n-- Example:\n--   receiptmill report mine\n\(statement)",
            fileName: "mine", topic: nil, origin: .init(path: "mine.sql"))
    }

    private func warnings(
        _ report: Report, _ settings: [(name: String, text: String)] = [], rows: String = filterRows,
        rates: String? = nil
    ) throws -> [ReportWarning] {
        let database = try SampleDatabase(rows: rows)
        var run = try ReportRun(report, settings: settings)
        run.saysWhyEmpty = true
        run.rates = try rates.map { try RateList(path: database.write($0, to: "rates.csv")) }
        var warnings: [ReportWarning] = []
        try run.write(in: ReportSession(database: database.path), as: .csv, warn: { warnings.append($0) }) { _ in }
        return warnings
    }

    /// No row, whatever is asked for.
    private static let nothing = "SELECT 1 AS n, '' AS currency FROM apps, months WHERE 0 = 1"

    @Test("That the database holds no trusted document")
    func empty() throws {
        let found = try warnings(Self.report(Self.nothing), rows: filterRows + "DELETE FROM receipt;")
        #expect(found.map(\.message) == ["no rows: the database holds no trusted document"])
    }

    @Test("That there is no document of the environment, and of which there are")
    func environment() throws {
        let rows = filterRows + "DELETE FROM receipt WHERE receipt_id IN (1, 4);"
        let found = try warnings(Self.report(Self.nothing), rows: rows)
        #expect(
            found.map(\.message) == [
                "no rows: no document of the database is of an app that is asked for, environment=Production, bundle=all"
            ])
        #expect(
            found.first?.hint == "there are documents of com.example.cards (Sandbox), com.example.chess ((none)); "
                + "environment=all counts all")
    }

    @Test("An unknown app is told once")
    func app() throws {
        let found = try warnings(Self.report(Self.nothing), [("bundle", "com.example.chest")])
        #expect(found.map(\.message) == ["no receipt of the database is of the app com.example.chest"])
    }

    @Test("That the months that are asked for have not come, or hold nothing")
    func months() throws {
        let report = try Self.report(Self.nothing)
        #expect(
            try warnings(report, [("from", "2024-04")]).map(\.message) == [
                "no rows: the newest document is of 2024-03-10, before the months that are asked for"
            ])
        #expect(
            try warnings(report, [("until", "2023-02")]).map(\.message) == [
                "no rows: nothing that the report counts is known of 2022-02 to 2023-02; the newest document is of 2024-03-10"
            ])
        #expect(try warnings(report).first?.hint == "from=all asks of all months before, too")
    }

    @Test("That no price is known, where the report tells money; a price list is one")
    func prices() throws {
        let report = try Self.report(Self.nothing, column: "n  money(currency)")
        let what = "no rows: no document of the database states a price, and there is no price list"
        #expect(try warnings(report).map(\.message) == [what])
        let list = """
            INSERT INTO product VALUES (1, 'gold');
            INSERT INTO listed_price (product_id, currency, price_milliunits, valid_from) VALUES ('gold', 'EUR', 4990, '');
            """
        #expect(try warnings(report, rows: filterRows + list).map(\.message) != [what])
    }

    @Test("That the months have not come, before that no price is known")
    func monthsBeforePrices() throws {
        let report = try Self.report(Self.nothing, column: "n  money(currency)")
        #expect(
            try warnings(report, [("from", "2024-04")]).map(\.message) == [
                "no rows: the newest document is of 2024-03-10, before the months that are asked for"
            ])
    }

    @Test("What the report was narrowed to")
    func narrowed() throws {
        let report = try Self.report(
            "SELECT 1 AS n, '' AS currency FROM apps WHERE bundle_id = :product",
            parameters: "-- Parameters:\n--   :product  text  null  product\n")
        let found = try warnings(report, [("product", "gold")])
        #expect(
            found.map(\.message) == ["no rows: nothing that the report counts is known of the apps that are asked for"])
        #expect(found.first?.hint == "it was asked for product=gold; leave some out to see more")
    }

    @Test("That nothing was loaded, or that nothing is known, of a report over neither apps nor months")
    func others() throws {
        let report = try Self.report("SELECT 1 AS n, '' AS currency WHERE 0 = 1")
        #expect(try warnings(report).map(\.message) == ["no rows: the database holds no archive yet"])
        #expect(
            try warnings(report, rows: sampleRows).map(\.message) == [
                "no rows: nothing that the report counts is known"
            ])
    }

    @Test("A report with rows says nothing, nor does one of which an alarm hopes for none")
    func silent() throws {
        #expect(try warnings(Self.report("SELECT app_id AS n, '' AS currency FROM apps")).isEmpty)
        let database = try SampleDatabase(rows: filterRows)
        try ReportRun(Self.report(Self.nothing)).write(
            in: ReportSession(database: database.path), as: .csv, warn: { Issue.record("\($0)") }, to: { _ in })
    }

    private static let priced =
        filterRows + "INSERT INTO listed_price (product_id, price_milliunits, currency, valid_from) VALUES "
        + "('a', 1000, 'USD', ''), ('b', 1000, 'KRW', ''), ('c', 1000, 'JPY', '');"

    @Test("The currencies that no rate converted are named, and rows that were converted are not")
    func unconverted() throws {
        let report = try Self.report(
            """
            SELECT column2 AS n, coalesce(rates.into_currency, column1) AS currency
            FROM (VALUES ('USD', 1000), ('EUR', 1000), ('JPY', 1000), ('KRW', 1000), ('(none)', NULL)) AS sold
            LEFT JOIN rates ON rates.currency = column1 AND rates.day_number = 19800
            """, column: "n  money(currency)")
        let rates = "valid_from,currency,into_currency,rate\n2024-01-01,USD,EUR,0.9\n2024-01-01,KRW,GBP,0.001\n"
        #expect(
            try warnings(report, [("into_currency", "EUR")], rows: Self.priced, rates: rates).map(\.message)
                == ["no rate into EUR for some or all amounts in JPY, KRW: they stay rows of their own"])
        #expect(
            try warnings(report, [("into_currency", "EUR")]).map(\.hint) == [
                "receiptmill refresh --rates FILE --currency EUR keeps a list, each rate from the day of the first sale on"
            ])
        #expect(try warnings(report).isEmpty)
        #expect(try warnings(report, [("into_currency", "none")], rates: rates).isEmpty)
        #expect(
            try warnings(report, rates: rates).map(\.message)
                == ["the rates convert nothing: no currency to convert into is set"])
    }
}
