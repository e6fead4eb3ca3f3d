package import GRDB
internal import MillSystem
internal import ReceiptSQL

/// The database's tables, views and indices, out of `sql/`.
package enum Schema {
    /// Every schema that was released, oldest first. A migration that has been
    /// released is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v4") { db in try db.execute(sql: text("schema/v4.sql")) }
        return migrator
    }

    /// What `schema/v4.sql` sets, of later versions too.
    static let applicationID: Int32 = 0x5263_4d6c
    /// The version of the tables: `user_version` in the file's header.
    package static let version = 4

    /// Brings tables and views to this version's.
    package static func prepare(_ queue: DatabaseQueue) throws {
        _ = try queue.read(hasTables)
        try migrator.migrate(queue)
        try queue.write(replaceViews)
    }

    /// Whether the loader's tables are there.
    ///
    /// - Throws: ``MillError`` for another program's database, or a newer version's.
    package static func hasTables(_ db: Database) throws -> Bool {
        try refuseOther(db, at: .loading)
        if try db.tableExists("archive") { return true }
        guard try !hasForeignTables(db) else {
            throw MillError(
                stage: .loading, what: "the database holds another program's tables",
                hint: "name a database of receiptmill's, or a file that does not exist yet",
                exitStatus: .cannotCreate)
        }
        return false
    }

    /// Refuses a database whose tables are those of another version.
    ///
    /// - Parameter stage: the one for which it is opened.
    static func refuseOther(_ db: Database, at stage: Stage, path: String? = nil) throws {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard application == 0 || application == applicationID else {
            throw MillError(
                stage: stage, path: path, what: "the database is another program's (application_id \(application))",
                hint: "name a database of receiptmill's, or a file that does not exist yet",
                exitStatus: .cannotCreate)
        }
        guard try migrator.hasBeenSuperseded(db) else { return }
        if try !migrator.appliedIdentifiers(db).isDisjoint(with: ["v1", "v2", "v3"]) {
            throw MillError(
                stage: stage, path: path, what: "the database was written by an older version of receiptmill",
                hint: "load its archives into a new database", exitStatus: .cannotCreate)
        }
        throw MillError(
            stage: stage, path: path, what: "the database was written by a newer version of receiptmill",
            hint: "install that version", exitStatus: .cannotCreate)
    }

    /// Pages and runs of rows while indices are built, in KiB: runs that a
    /// processor's cache holds sort faster than those that fill the loader's.
    private static let sortingKibibytes = 4 << 10

    /// Builds the secondary indices that are missing.
    ///
    /// - Parameter workers: threads that may work; the second sorts what the first
    ///   reads.
    package static func buildIndices(_ db: Database, workers: Int) throws {
        let cache = try Int.fetchOne(db, sql: "PRAGMA cache_size") ?? 0
        try db.execute(
            sql: "PRAGMA cache_size = -\(sortingKibibytes); PRAGMA threads = \(min(workers - 1, 1))")
        defer { try? db.execute(sql: "PRAGMA cache_size = \(cache)") }
        try db.execute(sql: text("schema/indices.sql"))
    }

    /// Whether the secondary indices exist, which a first load builds when it ends.
    package static func hasIndices(_ db: Database) throws -> Bool {
        try db.indexes(on: "receipt_purchase").contains { $0.name == "receipt_purchase_by_transaction" }
    }

    private static func hasForeignTables(_ db: Database) throws -> Bool {
        // A run that was killed as it made the database may have left the
        // migrator's own table alone.
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations')") ?? false
    }

    /// Views hold no data, so they follow the binary: one whose text differs is
    /// made anew. Rows that are kept of facts hold for the views of this binary alone.
    private static func replaceViews(_ db: Database) throws {
        let stored = try Facts.viewTexts(db)
        let kept = Set(try Facts.kept(db).map(\.name))
        let outdated = SQLFile.files(in: "views").filter { file in
            // SQLite keeps the statement without the comments before it and the semicolon and line break behind.
            let ending = file.text.utf8.dropLast(2)
            guard !kept.contains(file.name) else { return false }
            guard let text = stored[file.name]?.utf8 else { return true }
            return !ending.suffix(text.count).elementsEqual(text)
        }
        guard !outdated.isEmpty else { return }
        try Facts.release(db)
        for file in outdated {
            try db.execute(sql: "DROP VIEW IF EXISTS \(file.name.quotedDatabaseIdentifier)")
            try db.execute(sql: file.text)
        }
    }

    private static func text(_ path: String) throws -> String {
        guard let file = SQLFile.all.first(where: { $0.path == path }) else {
            throw MillError(stage: .loading, what: "\(path) is not in this binary", exitStatus: .internalFault)
        }
        return file.text
    }
}
