import Foundation
import GRDB
import ReceiptSQL
import TestSupport
import Testing

@testable import MillDatabase

/// A database of the first release, and a further schema that no release has.
@Suite("Steps from one schema to the next")
struct SchemaStepTests {
    private let workdir: Workdir
    private var path: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        let packed = Repository.file("Tests/Migrations/v8/mill.sqlite.gz").path
        try workdir.write(Command("gzip", ["-dc", packed]).run().bytes, to: "mill.sqlite")
    }

    private struct Stop: Error {}

    /// Steps that no release has: the first writes more than SQLite keeps in memory, so that rows
    /// stand in the log before the commit.
    private static let madeUp = [
        Schema.Step(
            version: Schema.version + 1,
            text: """
                CREATE TABLE made_up (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60000)
                INSERT INTO made_up SELECT n, hex(randomblob(40)) FROM numbers;
                """),
        Schema.Step(version: Schema.version + 2, text: "CREATE INDEX made_up_by_text ON made_up (text);"),
    ]
    private static let steps = Schema.steps + madeUp
    private static let newest = Schema.version(behind: steps)

    private func version(_ queue: DatabaseQueue) throws -> Int? {
        try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }

    private func schema(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")
    }

    @Test("A migration that ends midway has changed nothing, and the next one does all of it")
    func interrupted() throws {
        let queue = try DatabaseQueue(path: path)
        let former = try queue.read(schema)
        #expect(throws: Stop.self) {
            try queue.writeWithoutTransaction { db in
                try Schema.prepare(db, steps: Self.steps) { if $0 == Self.newest { throw Stop() } }
            }
        }
        #expect(try version(queue) == Schema.version)
        #expect(try queue.read(schema) == former)
        try queue.writeWithoutTransaction { try Schema.prepare($0, steps: Self.steps) }
        #expect(try version(queue) == Self.newest)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM made_up") } == 60_000)
        #expect(try queue.read { try Schema.differences($0, isWhole: true) } == [])
        let views = try queue.read {
            try String.fetchSet($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'view'")
        }
        #expect(views == Set(SQLFile.views.map(\.name)))
    }

    /// The files as they lie in the middle of a migration are what a kill leaves.
    @Test("A migration that is killed within has changed nothing")
    func killed() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA cache_size = -64") }
        let former = try queue.read(schema)
        let copy = workdir.path("killed.sqlite")
        try queue.writeWithoutTransaction { db in
            try Schema.prepare(db, steps: Self.steps) { step in
                guard step == Self.newest else { return }
                for ending in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
                }
            }
        }
        #expect(try workdir.read("killed.sqlite-wal").count > 4 << 20)
        let killed = try DatabaseQueue(path: copy)
        #expect(try version(killed) == Schema.version)
        #expect(try killed.read(schema) == former)
    }

    @Test("check tells of a secondary index that is missing beside others; a load builds it")
    func secondaryIndex() throws {
        let queue = try DatabaseQueue(path: workdir.path("mill.sqlite"))
        try queue.writeWithoutTransaction { db in
            try Schema.prepare(db)
            try db.execute(sql: "DROP INDEX receipt_part_by_part")
            #expect(try Schema.differences(db) == [])
            #expect(try Schema.differences(db, isWhole: true) == ["index receipt_part_by_part is missing"])
            for index in [
                "submission_by_receipt", "receipt_purchase_by_transaction", "purchase_by_original_transaction",
                "renewal_by_original_transaction", "notification_by_uuid", "submission_by_presenter",
                "purchase_terms_by_previous_original", "purchase_terms_by_app_transaction", "purchase_terms_by_token",
                "renewal_by_token", "receipt_app_transaction",
            ] { try db.execute(sql: "DROP INDEX \(index)") }
            #expect(try Schema.differences(db, isWhole: true) == [])
        }
    }
}
