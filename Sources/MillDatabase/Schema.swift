internal import Foundation
package import GRDB
package import MillSystem
internal import ReceiptSQL

/// The database's tables, views and indices, from the files of `sql/`.
///
/// A new database is created by the newest file of `sql/schema/` and the later steps of `sql/migrations/` (`v9.sql`
/// leads from schema 8 to 9). An older database is migrated by the steps after its version. Both end with equal tables.
/// A released file is never changed. The first release has no steps; tests add one.
package enum Schema {
    /// SQLite's `application_id`, which every version of `sql/schema/` sets.
    static let applicationID: Int32 = 0x5263_4d6c

    /// Whether a file's header states that ReceiptMill created it: SQLite's `application_id` is at byte 68
    /// (https://sqlite.org/fileformat.html, 1.3). Must not be called for a database that this process has open, because
    /// closing the file would release SQLite's locks.
    package static func isStated(inFileAt path: String) -> Bool {
        let header = (try? FileHandle(forReadingAtPath: path)?.read(upToCount: 72)) ?? Data()
        let wanted = withUnsafeBytes(of: applicationID.bigEndian, Array.init)
        return header.count == 72 && header.suffix(4).elementsEqual(wanted)
    }

    /// The version of the tables: `user_version` in the file's header.
    package static let version = version(behind: steps)

    /// The version to which steps lead.
    package static func version(behind steps: [Step]) -> Int { steps.last?.version ?? base.version }

    /// The oldest schema version that can be migrated to ``version``.
    static let oldestVersion = min(base.version, steps.first.map { $0.version - 1 } ?? base.version)

    /// The tables of a new database, before any step.
    private static let base: Step = files(in: "schema").last ?? Step(version: 0, text: "")

    /// The migrations, oldest first; each leads from the preceding version to its own.
    package static let steps = files(in: "migrations")

    /// An SQL file that leads to a version.
    package struct Step: Sendable {
        package let version: Int
        package let text: String

        package init(version: Int, text: String) {
            self.version = version
            self.text = text
        }
    }

    private static func files(in folder: String) -> [Step] {
        SQLFile.files(in: folder).compactMap { file in
            guard file.name.first == "v", let version = Int(file.name.dropFirst()) else { return nil }
            return Step(version: version, text: file.text)
        }.sorted { $0.version < $1.version }
    }

    // MARK: Making and migrating

    /// Creates or migrates tables and views to the version of the last step, in one transaction.
    ///
    /// - Parameter onStep: called before each step, with the version to which the step leads.
    package static func prepare(
        _ db: Database, steps: [Step] = Schema.steps, onStep: (Int) throws -> Void = { _ in }
    ) throws {
        let version = Self.version(behind: steps)
        try db.inTransaction(.immediate) {
            let former = try Self.version(of: db)
            if let former, former < version {
                // Views are dropped first, because steps may rename or remove their columns.
                for view in try names(ofViews: db) { try db.execute(sql: "DROP VIEW \(view.quotedDatabaseIdentifier)") }
                try advance(db, by: steps, from: former, onStep)
                // The older version may lack some of this version's indices.
                if try hasIndices(db) { try buildIndices(db, workers: 1) }
            } else {
                try createTables(db)
            }
            // A new database needs no comparison: the same statements created it.
            let differences = former == nil ? [] : try differences(db)
            guard differences.isEmpty else { throw refusal(of: differences) }
            // New views may read columns that the former version's models lack.
            if try replaceViews(db) { try ModelRefresh.clear(db, keepsNumbers: true) }
            if let former, former < version { try ModelRefresh.makeAll(db) }
            return .commit
        }
    }

    /// Creates the tables in an empty database.
    static func createTables(_ db: Database) throws {
        guard try version(of: db) == nil else { return }
        try db.execute(sql: base.text)
        try advance(db, by: steps, from: base.version) { _ in }
    }

    private static func advance(
        _ db: Database, by steps: [Step], from former: Int, _ onStep: (Int) throws -> Void
    ) throws {
        for step in steps where step.version > former {
            try onStep(step.version)
            try db.execute(sql: step.text)
            try db.execute(sql: "PRAGMA user_version = \(step.version)")
        }
    }

    // MARK: Version

    /// The version of a database's tables; nil if the database is empty.
    ///
    /// - Parameters:
    ///   - stage: the stage that opens the database.
    ///   - path: the file that an error names.
    /// - Throws: ``MillError`` for another program's database, for one of a newer version, and for one so old that no
    ///   step leads from it.
    package static func version(
        of db: Database, at stage: Stage = .loading, path: String? = nil
    ) throws -> Int? {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        func refusal(_ what: String, _ hint: String) -> MillError {
            MillError(stage: stage, path: path, what: what, hint: hint, exitStatus: .cannotCreate)
        }
        guard application == applicationID else {
            let hint = "name a database of receiptmill's, or a file that does not exist yet"
            guard application == 0 else {
                throw refusal("the database is another program's (application_id \(application))", hint)
            }
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 else {
                throw refusal("the database holds another program's tables", hint)
            }
            return nil
        }
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found <= version else {
            throw refusal(
                "the database was written by a newer version of receiptmill (schema \(found), this is \(version))",
                "install that version")
        }
        guard found >= oldestVersion else {
            throw refusal(
                "the database was written by an older version of receiptmill (schema \(found), and what this version "
                    + "reads begins at \(oldestVersion))", "load its archives into a new database")
        }
        return found
    }

    /// The error for a database whose schema differs from its version's.
    private static func refusal(of differences: [String]) -> MillError {
        let listed = differences.prefix(3).joined(separator: ", ")
        let more = differences.count > 3 ? ", and \(differences.count - 3) more" : ""
        return MillError(
            stage: .loading, what: "the database is not as this version makes it: \(listed)\(more)",
            hint: "restore the last backup; receiptmill check lists all that differs", exitStatus: .cannotCreate)
    }

    // MARK: Indices

    /// Memory for pages and sorting while indices are built, in KiB: runs that fit into a processor's cache are sorted
    /// faster than runs as large as the loader's cache.
    private static let sortingKibibytes = 4 << 10

    /// Builds the secondary indices that are missing.
    ///
    /// - Parameter workers: the number of threads that may work; a second one sorts the rows that the first reads.
    package static func buildIndices(_ db: Database, workers: Int) throws {
        let cache = try Int.fetchOne(db, sql: "PRAGMA cache_size") ?? 0
        try db.execute(
            sql: "PRAGMA cache_size = -\(sortingKibibytes); PRAGMA threads = \(min(workers - 1, 1))")
        defer { try? db.execute(sql: "PRAGMA cache_size = \(cache)") }
        try db.execute(file: "schema/indices.sql")
    }

    /// Whether the secondary indices exist; a first load builds them at its end.
    package static func hasIndices(_ db: Database) throws -> Bool {
        try db.has("receipt_purchase_by_transaction")
    }

    // MARK: Views

    /// Replaces the views whose text differs from this version's. This is safe, because views contain no data.
    ///
    /// - Returns: whether a view was replaced.
    private static func replaceViews(_ db: Database) throws -> Bool {
        let stored = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
            .reduce(into: [String: String]()) { texts, row in texts[row["name"]] = row["sql"] }
        let outdated = SQLFile.views.filter { file in
            // SQLite stores a statement without preceding comments, and without the semicolon and line break after it.
            let ending = file.text.utf8.dropLast(2)
            guard let text = stored[file.name]?.utf8 else { return true }
            return !ending.suffix(text.count).elementsEqual(text)
        }
        // Tables without these prefixes may be the user's.
        let tables = try String.fetchSet(
            db,
            sql: """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND (name GLOB 'model_*' OR name GLOB 'internal_*')
                """)
        for file in outdated {
            // A model with a table in the former version may be a view in this one.
            let kind = tables.contains(file.name) ? "TABLE" : "VIEW"
            try db.execute(sql: "DROP \(kind) IF EXISTS \(file.name.quotedDatabaseIdentifier)")
            try db.execute(sql: file.text)
        }
        let names = Set(SQLFile.views.map(\.name))
        // A view of the former version may be a model's table in this one, or have another name: internal views once had
        // the prefix of models. Views without these prefixes may be the user's.
        let former = stored.keys.filter { name in
            !names.contains(name) && ["internal_", "model_"].contains(where: name.hasPrefix)
        }
        for name in former { try db.execute(sql: "DROP VIEW \(name.quotedDatabaseIdentifier)") }
        return !outdated.isEmpty || !former.isEmpty
    }

    private static func names(ofViews db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'view'")
    }
}
