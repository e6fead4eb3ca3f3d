internal import Foundation
internal import GRDB
import ReceiptSQL
internal import TestSupport
internal import Testing

@testable import MillDatabase
@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite struct SchemaTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    /// Opens the database, and reads what its schema says then.
    private func opened<Value>(_ read: (Database) throws -> Value) throws -> Value {
        try Warehouse(path: workdir.path("mill.sqlite")).access(read)
    }

    @Test("Views that are this version's are left as they are")
    func unchangedViews() throws {
        // What is made anew goes to another place.
        let places = { (db: Database) in
            try Row.fetchAll(db, sql: "SELECT rowid, name FROM sqlite_schema WHERE type = 'view'").map(\.description)
        }
        let first = try opened(places)
        #expect(first.count > 1)
        #expect(try opened(places) == first)
    }

    @Test("Tables of signed data have the columns of the table of fields, and no others")
    func fieldColumns() throws {
        func columns(_ table: String) throws -> Set<String> {
            try opened { db in try Set(String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)')")) }
        }
        for table in SignedTable.all {
            #expect(try columns(table.name) == Set(table.columns), "\(table.name)")
        }
        #expect(try columns("purchase_terms") == Set(["terms_id"] + PurchaseTerms.keyColumns + PurchaseTerms.columns))
        let key = ["purchase_id", "app_id", "transaction_id"]
        #expect(try columns("purchase") == Set(key + Purchases.mergedColumns))
        #expect(try columns("claimed_purchase") == Set(key + ["verdict", "kind"] + Purchases.mergedColumns))
        // The order in which the loader puts the values of a purchase.
        #expect(
            Purchases.mergedColumns == [
                "original_transaction_id", "product_number", "quantity", "product_type", "purchase_date",
                "original_purchase_date", "expires_date", "cancellation_date", "web_order_line_item_id",
                "is_trial_period", "is_in_intro_offer_period", "promotional_offer_id", "as_of", "receipt_id",
            ])
    }

    @Test("Columns that name persons, which rekeying renames, are found in every table of signed data")
    func columnsOfPersons() {
        #expect(
            Set(SignedTable.columnsOfPersons.map { "\($0.table).\($0.column)" }) == [
                "purchase_terms.app_account_token", "purchase_terms.app_transaction_id", "renewal.app_account_token",
                "renewal.app_transaction_id", "app_transaction.app_transaction_id",
            ])
    }

    @Test("The check of terms looks at every document from which a part of them may come")
    func sourcesOfTerms() throws {
        let check = try #require(SQLFile.files(in: "checks").first { $0.name == "terms_outdated" })
        for column in MergedTerms.sourceColumns { #expect(check.text.contains("terms.\(column)"), "\(column)") }
    }

    @Test("Thresholds of signals are those that SQLite finds in the view")
    func thresholds() throws {
        let rows = try opened { db in
            try Row.fetchAll(db, sql: "SELECT name, value, unit, meaning FROM signal_settings").map {
                "\($0[0] as String) \($0[1] as Int) \($0[2] as String) \($0[3] as String)"
            }
        }
        #expect(SignalThresholds.known.map { "\($0.name) \($0.value) \($0.unit) \($0.meaning)" } == rows)
        #expect(rows.count > 10)
    }

    @Test("All SQL looks for lineages by as many bytes of the hash as the loader stores")
    func hashPrefixes() throws {
        let prefix = /substr\((?:\w+\.)?device_hash, 1, (\d+)\)/
        let sizes = SQLFile.all.flatMap { file in file.text.matches(of: prefix).map(\.output.1) }
        #expect(sizes.count > 3)
        #expect(Set(sizes) == ["\(RowWriter.hashPrefixSize)"])
    }

    @Test(
        "A view of another version is replaced",
        arguments: ["CREATE VIEW receipts AS SELECT 1 AS receipt", "DROP VIEW purchases"])
    func changedView(sql: String) throws {
        let texts = { (db: Database) in
            try Set(String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'view'"))
        }
        let before = try opened(texts)
        #expect(before.count == SQLFile.views.count)
        let after = try opened { db in
            if sql.hasPrefix("CREATE") { try db.execute(sql: "DROP VIEW receipts") }
            try db.execute(sql: sql)
            return try texts(db)
        }
        #expect(after != before)
        #expect(try opened(texts) == before)
    }
}

@Suite struct SchemaMigrationTests {
    private let workdir: Workdir
    private var path: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        let packed = Repository.file("Tests/Migrations/v8/mill.sqlite.gz").path
        try workdir.write(Command("gzip", ["-dc", packed]).run().bytes, to: "mill.sqlite")
    }

    /// A step that no release has.
    private static let steps =
        Schema.steps + [Schema.Step(version: Schema.version + 1, text: "CREATE TABLE made_up (number INTEGER) STRICT;")]
    private static let newest = Schema.version(behind: steps)

    private func version(_ queue: DatabaseQueue) throws -> Int? {
        try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }

    private func schema(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")
    }

    @Test("The database as it was is kept beside it, and each step is told", arguments: [true, false])
    func keptCopy(keepsCopy: Bool) throws {
        let queue = try DatabaseQueue(path: path)
        let former = try queue.read(schema)
        let copy = "\(RealPath.of(path))-before-v\(Self.newest)"
        var events: [SchemaMigration.Event] = []
        var migration = SchemaMigration()
        migration.keepsCopy = keepsCopy
        migration.onEvent = { events.append($0) }
        try SchemaMigration.prepare(queue, path: path, migration, steps: Self.steps)
        #expect(try version(queue) == Self.newest)
        let told: [SchemaMigration.Event] = [
            .step(to: Self.newest),
            .migrated(from: Schema.version, to: Self.newest, copy: keepsCopy ? copy : nil),
        ]
        #expect(events.suffix(2) == told)
        guard keepsCopy else {
            #expect(events.count == 2 && !FileManager.default.fileExists(atPath: copy))
            return
        }
        #expect(events.first == .copying(to: copy, percent: 0))
        #expect(events.dropLast(2).last == .copying(to: copy, percent: 100))
        let kept = try DatabaseQueue(path: copy)
        #expect(try version(kept) == Schema.version)
        #expect(try kept.read(schema) == former)
    }

    @Test("Who may not migrate is told to, and nothing is changed")
    func refused() throws {
        let queue = try DatabaseQueue(path: path)
        let former = try queue.read(schema)
        let error = #expect(throws: MillError.self) {
            try SchemaMigration.prepare(queue, path: path, nil, steps: Self.steps)
        }
        #expect(error?.hint == "receiptmill migrate --database \(path)" && error?.exitStatus == .cannotCreate)
        #expect(try version(queue) == Schema.version)
        #expect(try queue.read(schema) == former)
    }
}
