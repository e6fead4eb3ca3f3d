import GRDB
import Testing

@testable import MillDatabase

/// What a refresh takes for new, and the tables that hide the loader's while it computes a slice.
@Suite("A slice")
struct SliceTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { db in
            try Schema.prepare(db)
            try Schema.buildIndices(db, workers: 1)
            try db.execute(
                sql: """
                    INSERT INTO app VALUES (1, 'Production', 'com.example');
                    INSERT INTO archive (archive_id, name, sha256, bytes, lines, loaded_lines, first_loaded_at)
                    VALUES (3, 'a.jsonl.gz', x'00', 1, 2, 2, 0);
                    """)
            for receipt in 1...4 { try insert(receipt: receipt, db) }
        }
    }

    private func insert(receipt: Int, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, purchase_count, bytes)
                VALUES (?1, randomblob(32), 'signed_transaction', 'trusted', 1, 1, 1)
                """, arguments: [receipt])
    }

    /// Inserts the submission of a document, numbered from 1, of a line of the archive.
    private func submit(_ receipt: Int, line: Int64, document: Int64 = 1, _ db: Database) throws -> Int64 {
        let id = (document - 1) << 52 + 3 << 32 + line
        try db.execute(
            sql: "INSERT INTO submission (submission_id, receipt_id, device_check) VALUES (?, ?, 'no_device')",
            arguments: [id, receipt])
        return id
    }

    private func new(_ db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(db, sql: Database.sql(ofFile: "slices/new/submissions.sql"))
    }

    @Test("begins with every document of the lines that came since the last refresh, and of lines corrected since")
    func newSubmissions() throws {
        try queue.write { db in
            let first = try submit(1, line: 1, db)
            let second = try submit(2, line: 2, document: 2, db)
            try ModelRefresh.makeAll(db)
            try db.execute(sql: "DELETE FROM model_loaded")
            #expect(try new(db) == [first, second])
            try LoadedLines.save(db)
            #expect(try new(db) == [])
            try db.execute(sql: "UPDATE archive SET lines = 4")
            let third = try submit(3, line: 4, document: 3, db)
            let late = try submit(4, line: 1, document: 2, db)
            try db.execute(sql: "INSERT INTO late_submission VALUES (?)", arguments: [late])
            #expect(try new(db) == [third, late])
        }
    }

    @Test("reads a last line that may have been cut again, and one that was corrected no more")
    func lastLine() throws {
        try queue.write { db in
            try db.execute(
                sql: "INSERT INTO rejection (archive_id, line, reason, detail) VALUES (3, 2, 'not_json', '')")
            func seen() throws -> Int? {
                try LoadedLines.save(db)
                return try Int.fetchOne(db, sql: "SELECT lines FROM model_loaded")
            }
            #expect(try seen() == 1)
            try db.execute(sql: "UPDATE rejection SET status = 'cleared'")
            _ = try submit(1, line: 2, db)
            #expect(try seen() == 2)
        }
    }

    @Test("keeps identifiers that are no canonical numbers as they are")
    func identifiers() throws {
        let identifiers = ["'0123'", "123", "'12.0'", "'100000000000000000001'", "'100000000000000000002'"]
        try queue.write { db in
            for identifier in identifiers {
                try db.execute(sql: "INSERT INTO receipt_purchase VALUES (1, \(identifier))")
            }
            try db.execute(
                sql: "CREATE TEMP TABLE slice_receipts (receipt_id, round); INSERT INTO slice_receipts VALUES (1, 0)")
            let model = try Model(
                "model_read",
                "-- Key: n\n--\n-- Columns:\n--   n  ANY  –  a thing\nSELECT transaction_id AS n FROM receipt_purchase")
            var shadows = ShadowTables(db)
            try shadows.make(readBy: [model], over: [])
            let copies = try String.fetchAll(db, sql: "SELECT quote(transaction_id) FROM temp.receipt_purchase")
            #expect(Set(copies) == Set(identifiers))
            try shadows.drop()
            #expect(try String.fetchAll(db, sql: "SELECT name FROM sqlite_temp_schema") == ["slice_receipts"])
        }
    }
}
