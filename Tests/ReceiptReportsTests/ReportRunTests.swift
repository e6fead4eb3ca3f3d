internal import Foundation
import MillTestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptReports
@testable import ReportHeaders

/// How a run fails: what is said, about which line, with which status.
@Suite struct ReportRunTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase() }

    private func failure(_ body: () throws -> Void) -> MillError? {
        #expect(throws: MillError.self, performing: body)
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

    @Test("Of two files of one name neither is run, and the others are")
    func twice() throws {
        _ = try database.write("", to: "two/a/x.sql")
        _ = try database.write("", to: "two/b/x.sql")
        let catalog = try ReportCatalog(folder: database.folder.appending(path: "two").path)
        let error = failure { _ = try catalog.report(named: "x") }
        #expect(error?.exitStatus == .configuration)
        #expect(error?.path?.hasSuffix("two/a/x.sql") == true)
        #expect(error?.what.hasSuffix("two/b/x.sql too") == true)
        #expect(try catalog.report(named: "refunds").name == "refunds")
    }

    @Test("An unknown report and an unknown parameter are met with the nearest names")
    func nearest() throws {
        let unknown = failure { _ = try ReportCatalog().report(named: "freemium-migratoin") }
        #expect(unknown?.hint?.hasPrefix("did you mean freemium-migration?") == true)
        #expect(unknown?.exitStatus == .usage)
        let refunds = try ReportCatalog().report(named: "refunds")
        let parameter = failure { _ = try ReportRun(refunds, settings: [("form", "2024-01")]) }
        #expect(parameter?.hint == "did you mean from? it has environment, bundle, from, until, into_currency, by")
        let value = failure { _ = try ReportRun(refunds, settings: [("from", "tomorrow")]) }
        #expect(value?.what == "from=tomorrow: the value is not a month such as 2024-02, a day of it, or all")
        let twice = failure { _ = try ReportRun(refunds, settings: [("bundle", "a"), ("bundle", "b")]) }
        #expect(twice?.exitStatus == .usage)
    }

    @Test("A database that is missing, no database, or another program's is reported as that")
    func databases() throws {
        let run = try ReportRun(ReportCatalog().report(named: "refunds"))
        func status(_ path: String) -> MillSystem.ExitStatus? {
            failure { try run.write(in: ReportSession(database: path), as: .csv) { _ in } }?.exitStatus
        }
        #expect(status(database.path + ".missing") == .missingInput)
        #expect(status(database.folder.path) == .badData)
        let text = String(repeating: "no database ", count: 200)
        #expect(try status(database.write(text, to: "text")) == .badData)
        #expect(try status(database.write("", to: "empty")) == .badData)
    }

    @Test("A query that takes too long is stopped with a hint")
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
            Report(sql: endless, fileName: "mine", topic: nil, origin: .init(path: "mine.sql")))
        run.timeoutSeconds = 0.2
        let error = failure { try run.write(in: ReportSession(database: database.path), as: .csv) { _ in } }
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
        #expect(error?.what == "from=2024-13: the value is not a month such as 2024-02, a day of it, or all")
    }

    @Test("What the sink throws ends the run")
    func sink() throws {
        struct Enough: Error {}
        let run = try ReportRun(ReportCatalog().report(named: "refunds"))
        #expect(throws: Enough.self) {
            try run.write(in: ReportSession(database: database.path), as: .csv) { _ in throw Enough() }
        }
    }
}
