import Dispatch
import GRDB
import MillSystem
import MillTestSupport
import ReceiptReports
import Synchronization
import TestSupport
import Testing

@testable import MillDatabase
@testable import MillRun
@testable import ReceiptWarehouse

/// Facts that loads leave to the first report that reads them.
@Suite("Facts left to reports")
struct FactKeeperTests {
    private static let fact = "monthly_customer_value"
    private let workdir: Workdir
    private let minted: MintedArchive
    private let report: Report
    private var database: String { workdir.path("left.sqlite") }

    init() throws {
        workdir = try Workdir()
        minted = try MintedArchive.shared.get()
        report = try ReportCatalog().report(named: "customer-value")
        try load([minted.archives[0]])
    }

    private func load(_ archives: [String], keepsFacts: Bool = true, into path: String? = nil) throws {
        var ingest = try minted.ingest(into: path ?? database)
        ingest.archives = archives
        ingest.configuration.jobs = 1
        ingest.configuration.keepsFacts = keepsFacts
        _ = try ingest.run()
    }

    private func output(
        _ settings: [(name: String, text: String)] = [], of path: String? = nil,
        _ change: (inout ReportRun) -> Void = { _ in }
    ) throws -> String {
        var text = ""
        var run = try ReportRun(report, settings: [("environment", "all")] + settings)
        change(&run)
        try run.write(fromDatabase: path ?? database, as: .csv) { text += $0 }
        return text
    }

    private func isKept(_ path: String? = nil) throws -> Bool {
        try DatabaseQueue(path: path ?? database).read(Facts.keptNames).contains(Self.fact)
    }

    @Test("are kept by that report until the next load, which its answer follows")
    func untilNextLoad() throws {
        #expect(try !isKept())
        let first = try output()
        #expect(first.split(separator: "\r\n").count > 10)
        #expect(try isKept())
        #expect(try output() == first)
        #expect(try DatabaseCheck(path: database).run().filter { $0.count > 0 }.isEmpty)

        try load([minted.archives[1]])
        #expect(try !isKept())
        let plain = workdir.path("plain.sqlite")
        try load(Array(minted.archives.prefix(2)), keepsFacts: false, into: plain)
        let second = try output()
        #expect(second != first)
        #expect(try second == output(of: plain))
    }

    @Test("are read as they are kept")
    func read() throws {
        let before = try output()
        try DatabaseQueue(path: database).write { try $0.execute(sql: "DELETE FROM fact_\(Self.fact)") }
        #expect(try output() != before)
    }

    @Test("are not kept where the load was told to keep none")
    func loadKeepsNone() throws {
        let plain = workdir.path("plain.sqlite")
        try load([minted.archives[0]], keepsFacts: false, into: plain)
        #expect(try output(of: plain) == output())
        #expect(try !isKept(plain))
    }

    @Test("are not kept, and the answer is the same, while another program writes")
    func writtenMeanwhile() throws {
        let other = try DatabaseQueue(path: database)
        let answer = try other.write { _ in try output() }
        #expect(try !isKept())
        #expect(try output() == answer)
        #expect(try isKept())
    }

    @Test("are not kept where settings were changed since the load, which other facts don't follow yet")
    func settingsChanged() throws {
        try DatabaseQueue(path: database).write { db in
            try db.execute(
                sql: """
                    INSERT INTO app_setting (bundle_id, first_free_version, first_free_version_key)
                    SELECT DISTINCT bundle_id, '0.1', '0' FROM app
                    """)
        }
        #expect(try output().split(separator: "\r\n").count > 10)
        #expect(try !isKept())
    }

    @Test("are neither kept nor read by another clock, or with a list of prices, which change the rows")
    func otherRows() throws {
        let product = try Stored(database).lines(
            "SELECT product_id FROM purchases WHERE product_id IS NOT NULL LIMIT 1")
        let prices = try workdir.write("product_id,currency,price\n\(product[0]),EUR,1\n", to: "prices.csv")
        let clock = [(name: "time_zone", text: "+09:00")]
        let others = { [try output(clock), try output { $0.prices = try? PriceList(path: prices) }] }
        let answers = try others()
        #expect(try !isKept())
        let usual = try output()
        #expect(try isKept())
        #expect(try others() == answers)
        #expect(!answers.contains(usual))
    }

    @Test("are given up where a report takes longer than it may, and where a run is cancelled")
    func timeLimit() throws {
        // Rows without end.
        try DatabaseQueue(path: database).write { db in
            try db.execute(
                sql: """
                    DROP VIEW customers_by_number;
                    CREATE VIEW customers_by_number AS
                    WITH RECURSIVE counted AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM counted)
                    SELECT 1 AS app_number, n AS original_number, n AS customer_number FROM counted
                    """)
        }
        let error = #expect(throws: MillError.self) { try output { $0.timeoutSeconds = 0.2 } }
        #expect(error?.exitStatus == .tryLater)
        let run = try ReportRun(report)
        _ = try ReportSession(database: database, for: [run], timeoutSeconds: 0.2)
        let stop = CancellationFlag()
        stop.cancel()
        let stopped = #expect(throws: MillError.self) { try ReportSession(database: database, for: [run], stop: stop) }
        #expect(stopped.map(stop.explains) == true)
        #expect(try !isKept())
    }

    @Test("are kept by reports that ask at the same time, each its own")
    func atOnce() throws {
        let names = ["customer-value", "storefronts", "offers", "entitled"]
        let failures = Mutex<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: names.count) { index in
            do {
                try ReportRun(ReportCatalog().report(named: names[index])).write(fromDatabase: database, as: .csv) {
                    _ in
                }
            } catch {
                failures.withLock { $0.append(error) }
            }
        }
        #expect(failures.withLock { $0.map { "\($0)" } } == [])
        let kept = try DatabaseQueue(path: database).read(Facts.keptNames)
        #expect(
            kept.isSuperset(of: [
                "monthly_customer_value", "storefront_customers_by_day", "offers_by_day", "entitlements_by_number",
            ]))
    }

    @Test("leave no table behind once their rows can be others: it names persons")
    func noTable() throws {
        _ = try output()
        let tables = "SELECT count(*) FROM sqlite_schema WHERE name = 'fact_\(Self.fact)'"
        #expect(try Stored(database).lines(tables) == ["1"])
        try load([minted.archives[1]], keepsFacts: false)
        #expect(try Stored(database).lines(tables) == ["0"])
    }

    @Test("are kept for all reports of a session before it sees the database")
    func session() throws {
        let session = try ReportSession(database: database, for: [ReportRun(report)])
        #expect(try isKept())
        var text = ""
        try ReportRun(report, settings: [("environment", "all")]).write(in: session, as: .csv) { text += $0 }
        #expect(try text == output())
    }
}
