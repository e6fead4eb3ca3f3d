import GRDB
import GRDBSQLite
import MillTestSupport
internal import TestSupport
internal import Testing

@testable import MillDatabase

/// What is said of an account that presents many lines within minutes.
@Suite struct BurstSignalTests {
    /// A database in which kid presents so many lines, some seconds apart, of as many documents each.
    private func presented(
        lines: Int, apart seconds: Int, documents: Int = 1, changes: String = ""
    ) throws -> SampleDatabase {
        try SampleDatabase(
            rows: familyRows + """
                WITH RECURSIVE place(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM place WHERE n < \(lines) - 1),
                part(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM part WHERE n < \(documents) - 1)
                INSERT INTO submission
                    (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
                SELECT (part.n << 52) + (1 << 32) + 100 + place.n, 3 - part.n, 'K1', 'kid',
                    (unixepoch('2024-06-01') + place.n * \(seconds)) * 1000, 'match'
                FROM place, part;
                \(changes)
                """)
    }

    private func lines(_ database: SampleDatabase) throws -> [String] {
        try Stored(database.path).lines(
            """
            SELECT line, receipt_sha256, account_id FROM fraud_signals WHERE signal = 'burst' ORDER BY submission_number
            """)
    }

    @Test("Twenty lines within ten minutes are a burst, each by its first document", arguments: [1, 2])
    func burst(documents: Int) throws {
        #expect(
            try lines(presented(lines: 20, apart: 31, documents: documents)) == (100..<120).map { "\($0)|a3|kid" })
    }

    @Test("Nineteen lines are none, nor are twenty over more than ten minutes")
    func none() throws {
        #expect(try lines(presented(lines: 19, apart: 1)) == [])
        #expect(try lines(presented(lines: 20, apart: 32)) == [])
    }

    @Test("A burst ends where lines come apart")
    func edges() throws {
        let apart = """
            UPDATE submission SET submitted_at = submitted_at - 3600000 WHERE line = 100;
            UPDATE submission SET submitted_at = submitted_at + 3600000 WHERE line = 121;
            """
        #expect(
            try lines(presented(lines: 22, apart: 30, changes: apart)) == (101..<121).map { "\($0)|a3|kid" })
    }

    @Test("What it costs to look for bursts grows with an account's lines, not with their square", arguments: [1, 60])
    func cost(seconds: Int) throws {
        func steps(_ lines: Int) throws -> Int32 {
            let database = try presented(lines: lines, apart: seconds)
            let model = try #require(try ModelCatalog.all().first { $0.name == "model_odd_lines" })
            return try DatabaseQueue(path: database.path).read { db in
                let statement = try db.makeStatement(sql: "SELECT count(*) FROM (\(model.select))")
                _ = try Int.fetchOne(statement)
                return sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 0)
            }
        }
        #expect(try steps(4000) < 6 * steps(1000))
    }
}
