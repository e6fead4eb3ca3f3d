import GRDB
import GRDBSQLite
internal import MillSystem
import MillTestSupport
internal import TestSupport
internal import Testing

@testable import MillDatabase
@testable import ReceiptReports

/// Senders choose what lines state and how many they send, so the work must grow linearly with the lines, not
/// quadratically. The tests count the steps of SQLite's virtual machine, which do not depend on other work on the
/// machine.
@Suite struct GrowthTests {
    private static let few = 300
    private static let many = 4 * few
    /// Four times the lines may need six times the steps; quadratic growth would need sixteen times.
    private static let bound = 6

    /// Times are days after 2024-01-01.
    private static func rows(_ lines: Int, _ rows: String) -> String {
        """
        CREATE TEMP TABLE number AS
        WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < \(lines) - 1)
        SELECT n, n * 86400000 + 1704067200000 AS ms FROM number;
        INSERT INTO archive
            (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
        VALUES (1, 'night.jsonl', x'11', 1, \(lines), \(lines), 1, 0, 0);
        INSERT INTO app VALUES (1, 'Production', 'club');
        INSERT INTO product VALUES (1, 'monthly');
        \(rows)
        """
    }

    /// One JWS per transaction number that satisfies a condition, with the transaction's number.
    private static func documents(_ condition: String) -> String {
        """
        INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
        SELECT n + 1, CAST('d' || n AS BLOB), 'signed_transaction', 'trusted', 1, ms, 1, 1 FROM number WHERE \(condition);
        INSERT INTO receipt_purchase SELECT n + 1, 1000 + n FROM number WHERE \(condition);
        """
    }

    // MARK: What senders may send

    /// A subscription's periods that a server stated without a name, and as many accounts that present the first
    /// period.
    private static func told(_ lines: Int) -> String {
        rows(
            lines,
            """
            \(documents("n % 2 = 0"))
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date,
                 expires_date, as_of, receipt_id)
            SELECT 1, 1000 + n, 1000, 1, 3, ms, ms + 172800000, ms, n + 1 FROM number WHERE n % 2 = 0;
            INSERT INTO submission (submission_id, receipt_id, account_id, submitted_at, device_check)
            SELECT (1 << 32) + n, CASE n % 2 WHEN 0 THEN n + 1 ELSE 1 END, CASE n % 2 WHEN 1 THEN 'a' || n END, ms, 'no_hash'
            FROM number;
            """)
    }

    /// A refunded transaction, and accounts that present the document from before the refund.
    private static func refunded(_ lines: Int) -> String {
        rows(
            lines,
            """
            \(documents("n < 2"))
            UPDATE receipt_purchase SET transaction_id = 1000;
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date,
                 cancellation_date, as_of, receipt_id)
            SELECT 1, 1000, 1000, 1, 0, ms, ms + 3600000, ms + 86400000, 2 FROM number WHERE n = 0;
            INSERT INTO submission (submission_id, receipt_id, account_id, submitted_at, device_check)
            SELECT (1 << 32) + n, 1, 'a' || n, ms + 86400000, 'no_hash' FROM number;
            """)
    }

    /// Purchases of many products of one app, in one receipt.
    private static func products(_ lines: Int) -> String {
        rows(
            lines,
            """
            INSERT INTO product SELECT n + 2, 'product ' || n FROM number;
            INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
            SELECT 1, x'd1', 'app_receipt', 'trusted', 1, 1735689600000, \(lines), 1;
            INSERT INTO receipt_purchase SELECT 1, 1000 + n FROM number;
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date, as_of,
                 receipt_id)
            SELECT 1, 1000 + n, 1000 + n, n + 2, 0, 1704067200000 + n % 12 * 2592000000, 1735689600000, 1 FROM number;
            INSERT INTO submission (submission_id, receipt_id, account_id, submitted_at, device_check)
            VALUES (1 << 32, 1, 'a', 1735689600000, 'no_hash');
            """)
    }

    /// Seats that are added to one period repeatedly.
    private static func seats(_ lines: Int) -> String {
        rows(
            lines,
            """
            \(documents("1"))
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, product_type, quantity, purchase_date,
                 expires_date, as_of, receipt_id)
            SELECT 1, 1000 + n, 1000, 1, 3, 1, 1704067200000 + n * 1000, 1735689600000, ms, n + 1 FROM number;
            INSERT INTO purchase_terms
                (app_id, transaction_id, verdict, ownership, price_milliunits, amount_milliunits, currency,
                 additional_reason, receipt_id)
            SELECT 1, 1000 + n, 'trusted', 'PURCHASED', 1000, 1000, 'EUR', CASE WHEN n > 0 THEN 'ADD' END, n + 1 FROM number;
            INSERT INTO submission (submission_id, receipt_id, account_id, submitted_at, device_check)
            SELECT (1 << 32) + n, n + 1, 'a', ms, 'no_hash' FROM number;
            """)
    }

    // MARK: What they cost

    /// Counts the steps of each statement that a connection finishes.
    private static func count(stepsOf db: Database, in count: UnsafeMutablePointer<Int>) {
        sqlite3_trace_v2(
            db.sqliteConnection, UInt32(SQLITE_TRACE_PROFILE),
            { _, count, statement, _ in
                let steps = sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1)
                count?.assumingMemoryBound(to: Int.self).pointee += Int(steps)
                return 0
            }, count)
    }

    private static func stopCounting(_ db: Database) { sqlite3_trace_v2(db.sqliteConnection, 0, nil, nil) }

    private func steps(_ db: Database, _ work: () throws -> Void) throws -> Int {
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        defer { count.deallocate() }
        Self.count(stepsOf: db, in: count)
        defer { Self.stopCounting(db) }
        try work()
        return count.pointee
    }

    private func stepsOfRefresh(_ rows: String) throws -> Int {
        let database = try SampleDatabase(rows: rows)
        return try withExtendedLifetime(database) {
            try DatabaseQueue(path: database.path).writeWithoutTransaction { db in
                try steps(db) { _ = try ModelRefresh.run(db, isWhole: true) }
            }
        }
    }

    private func steps(_ report: String, _ settings: [(name: String, text: String)], _ rows: String) throws -> Int {
        let database = try SampleDatabase(rows: rows)
        let session = try ReportSession(database: database.path)
        let run = try ReportRun(ReportCatalog().report(named: report), settings: settings)
        // The report uses the queue itself, so the queue is left in between.
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        defer { count.deallocate() }
        session.queue.inDatabase { Self.count(stepsOf: $0, in: count) }
        try run.write(in: session, as: .csv) { _ in }
        session.queue.inDatabase { Self.stopCounting($0) }
        return count.pointee
    }

    @Test(
        "A refresh grows linearly with periods, presenters, seats, presenters of a refund, and products")
    func refresh() throws {
        for (name, rows) in [
            ("told", Self.told), ("seats", Self.seats), ("refunded", Self.refunded), ("products", Self.products),
        ] {
            let (few, many) = (try stepsOfRefresh(rows(Self.few)), try stepsOfRefresh(rows(Self.many)))
            #expect(many < Self.bound * few, "\(name): \(few), then \(many)")
        }
    }

    @Test("Entitlement spans grow with the lines, however many users present a purchase that came without a name")
    func spans() throws {
        func count(_ lines: Int) throws -> Int {
            let database = try SampleDatabase(rows: Self.told(lines))
            let rows = try withExtendedLifetime(database) {
                try Stored(database.path).lines("SELECT count(*) FROM internal_entitlement_spans")
            }
            return try #require(rows.first.flatMap { Int($0) })
        }
        let (few, many) = (try count(Self.few), try count(Self.many))
        // Ten holders, each with an active and an expired stretch per period.
        #expect(few <= 20 * Self.few && many <= 20 * Self.many, "\(few), then \(many)")
    }

    @Test("However many accounts present a copy, the account whose device matches holds every period")
    func holder() throws {
        // The account in the middle is neither among the first nor among those seen last.
        let holder = "a\(Self.few / 2 + 1)"
        let rows = Self.told(Self.few) + "UPDATE submission SET device_check = 'match' WHERE account_id = '\(holder)';"
        let database = try SampleDatabase(rows: rows)
        let held = try withExtendedLifetime(database) {
            try Stored(database.path).lines(
                """
                SELECT count(DISTINCT purchase_id) FROM internal_entitlement_spans
                JOIN model_users USING (user_id) WHERE name = '\(holder)'
                """)
        }
        #expect(held == ["\(Self.few / 2)"])
    }

    @Test("Reports grow linearly with presenters of a refund and with the products of an app")
    func reports() throws {
        for (report, settings, rows) in [
            ("refund-owners", [("from", "all"), ("least", "1"), ("by", "purchase")], Self.refunded),
            ("revenue", [("from", "all")], Self.products),
        ] as [(String, [(name: String, text: String)], (Int) -> String)] {
            let few = try steps(report, settings, rows(Self.few))
            let many = try steps(report, settings, rows(Self.many))
            #expect(many < Self.bound * few, "\(report): \(few), then \(many)")
        }
    }

    @Test("Every account that presented a refunded purchase is an owner, with its own lines")
    func owners() throws {
        let rows = try SampleDatabase(rows: Self.refunded(30)).rows(
            of: "refund-owners", with: [("from", "all"), ("least", "1"), ("by", "purchase")])
        // The account, the refunds, and the submissions after the refund, one line each.
        #expect(rows.count == 30)
        #expect(
            rows.allSatisfy { row in
                let fields = row.split(separator: ",", omittingEmptySubsequences: false)
                return fields[2] == "account" && fields[6] == "1" && fields[10] == "1"
            }, "\(rows.prefix(3))")
    }

    @Test("Evidence for refund requests grows with requests and presenters, not with their product")
    func answers() throws {
        func cost(_ lines: Int) throws -> Int {
            let held = Self.told(lines).replacing("'no_hash'", with: "'match'")
            let database = try SampleDatabase(rows: held)
            defer { withExtendedLifetime(database) {} }
            return try DatabaseQueue(path: database.path).read { db in
                let purchases = try Int64.fetchAll(db, sql: "SELECT purchase_id FROM purchase")
                let customers = purchases.map { "[\($0),null,\"a\($0 * 2 - 1)\"]" }
                return try steps(db) {
                    for (file, list) in [
                        ("accounts", purchases.map { "[\($0)]" }), ("money", customers), ("signals", customers),
                        ("money", purchases.map { "[\($0),null,null]" }),
                        ("signals", purchases.map { "[\($0),null,null]" }),
                    ] {
                        let rows = try Row.fetchAll(
                            db, sql: Database.sql(ofFile: "answers/\(file).sql"),
                            arguments: ["[" + list.joined(separator: ",") + "]"])
                        #expect(rows.count <= 4 * lines)
                    }
                }
            }
        }
        let (few, many) = (try cost(Self.few), try cost(Self.many))
        #expect(many < Self.bound * few, "\(few), then \(many)")
    }
}
