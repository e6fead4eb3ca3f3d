internal import Foundation
internal import Testing

@testable internal import ReceiptPipeline

/// How a run fails: what is said, about which line, with which status.
@Suite struct ReportRunTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase() }

    private func failure(_ body: () throws -> Void) -> MillError? {
        #expect(throws: MillError.self, performing: body)
    }

    /// Writes a report of one column and runs it.
    private func run(_ statement: String, columns: String = "--   n  integer  a number") throws -> String {
        let header = """
            -- mine: Mine
            -- What?
            -- Grain: one row per n
            -- Columns:
            \(columns)
            -- Example:
            --   receiptmill report mine

            """
        _ = try database.write(header + statement, to: "own/mine.sql")
        let catalog = try ReportCatalog(folder: database.folder.appending(path: "own").path)
        return try database.output(of: catalog.report(named: "mine"))
    }

    @Test("A report of the user's runs")
    func own() throws {
        #expect(try run("WITH one AS (SELECT 1 AS n) SELECT n FROM one;\n-- the end\n") == "n\r\n1\r\n")
    }

    @Test(
        "A report that is not one SELECT as its header says is refused",
        arguments: [
            ("SELECT 1 AS n; SELECT 2 AS n;", "the file holds more than one statement"),
            ("DELETE FROM receipt;", "the statement does not start with SELECT or WITH"),
            ("WITH x AS (SELECT 1) DELETE FROM receipt RETURNING receipt_id AS n;", "the statement is no query"),
            ("PRAGMA user_version;", "the statement does not start with SELECT or WITH"),
            ("\n-- nothing", "there is no statement below the header"),
            ("SELECT 1 AS m;", "the header's columns are n; the statement's are m"),
            ("SELECT :x AS n;", "the header does not describe the parameter :x"),
            ("SELECT ? AS n;", "the statement has a parameter without a name"),
        ])
    func refused(statement: String, what: String) {
        let error = failure { _ = try run(statement) }
        #expect(error?.what == what)
        #expect(error?.exitStatus == .configuration)
        #expect(error?.path?.hasSuffix("own/mine.sql") == true)
    }

    @Test("An error of SQL names its line")
    func line() {
        let error = failure { _ = try run("SELECT 1 AS n\nFROM nothing_of_the_kind;") }
        #expect(error?.what == "no such table: nothing_of_the_kind")
        let misspelt = failure { _ = try run("SELECT\n    quantum AS n\nFROM purchases;") }
        #expect(misspelt?.line == 9)
    }

    @Test("A file of one's own goes before the built-in report of its name")
    func overriding() throws {
        let own = try ReportCatalog().report(named: "refunds").sql
            .replacing("refunds: Refunds", with: "refunds: My refunds")
        _ = try database.write(own, to: "sql/reports/any/refunds.sql")
        _ = try database.write("SELECT 1", to: "sql/views/no_report.sql")
        let catalog = try ReportCatalog(folder: database.folder.appending(path: "sql").path)
        #expect(try catalog.report(named: "refunds").header.title.hasPrefix("My"))
        #expect(catalog.names.sorted() == ReportCatalog().names.sorted())
    }

    @Test("Two files of one name are refused")
    func twice() throws {
        _ = try database.write("", to: "two/a/x.sql")
        _ = try database.write("", to: "two/b/x.sql")
        let error = failure { _ = try ReportCatalog(folder: database.folder.appending(path: "two").path) }
        #expect(error?.exitStatus == .configuration)
    }

    @Test("An unknown report and an unknown parameter are met with the nearest names")
    func nearest() throws {
        let unknown = failure { _ = try ReportCatalog().report(named: "freemium-migratoin") }
        #expect(unknown?.hint?.hasPrefix("did you mean freemium-migration?") == true)
        #expect(unknown?.exitStatus == .usage)
        let refunds = try ReportCatalog().report(named: "refunds")
        let parameter = failure { _ = try ReportRun(refunds, settings: [("form", "2024-01-01")]) }
        #expect(parameter?.hint == "did you mean from? it has environment, bundle, from, until")
        let value = failure { _ = try ReportRun(refunds, settings: [("from", "yesterday")]) }
        #expect(value?.what == "from=yesterday: the value is not a day such as 2024-02-29")
        let twice = failure { _ = try ReportRun(refunds, settings: [("bundle", "a"), ("bundle", "b")]) }
        #expect(twice?.exitStatus == .usage)
    }

    @Test("A database that is missing, none, or not ours is told apart")
    func databases() throws {
        let run = try ReportRun(ReportCatalog().report(named: "refunds"))
        func status(_ path: String) -> ReceiptPipeline.ExitStatus? {
            failure { try run.write(fromDatabase: path, as: .csv) { _ in } }?.exitStatus
        }
        #expect(status(database.path + ".missing") == .missingInput)
        #expect(status(database.folder.path) == .badData)
        let text = String(repeating: "no database ", count: 200)
        #expect(try status(database.write(text, to: "text")) == .badData)
        #expect(try status(database.write("", to: "empty")) == .badData)
    }

    @Test("A query that takes too long is stopped, and the way out is told")
    func timeout() throws {
        let endless = """
            -- mine: Mine
            -- What?
            -- Grain: one row per n
            -- Columns:
            --   n  integer  a number
            -- Example:
            --   receiptmill report mine

            WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted)
            SELECT max(n) AS n FROM counted;
            """
        var run = try ReportRun(
            Report(sql: endless, fileName: "mine", topic: nil, origin: .file(path: "mine.sql")))
        run.timeoutSeconds = 0.2
        let error = failure { try run.write(fromDatabase: database.path, as: .csv) { _ in } }
        #expect(error?.exitStatus == .tryLater)
        #expect(error?.hint?.contains("--timeout") == true)
    }

    @Test("A value that has to be given is asked for, and may stand behind the name")
    func subject() throws {
        let report = try ReportCatalog().report(named: "fraud-case")
        #expect(failure { _ = try ReportRun(report) }?.what == "the report fraud-case needs case")
        #expect(try ReportRun(report, subject: "A1").values == ["case": .text("A1")])
        let refunds = try ReportCatalog().report(named: "refunds")
        #expect(failure { _ = try ReportRun(refunds, subject: "A1") }?.exitStatus == .usage)
    }

    @Test("A month is a month of the calendar")
    func month() throws {
        let report = try ReportCatalog().report(named: "subscription-churn")
        #expect(try ReportRun(report, settings: [("from", "2024-02")]).values == ["from": .text("2024-02")])
        let error = failure { _ = try ReportRun(report, settings: [("from", "2024-13")]) }
        #expect(error?.what == "from=2024-13: the value is not a month such as 2024-02")
    }

    @Test("What the sink throws ends the run")
    func sink() throws {
        struct Enough: Error {}
        let run = try ReportRun(ReportCatalog().report(named: "refunds"))
        #expect(throws: Enough.self) {
            try run.write(fromDatabase: database.path, as: .csv) { _ in throw Enough() }
        }
    }
}
