package import GRDB
internal import MillSystem

/// Works out all models, whole: in one transaction, so that readers see the former ones until all are there, and a run
/// that is killed has changed nothing.
package enum ModelRefresh {
    /// Memory for pages and sorts, in KiB. What is larger goes into temporary files.
    private static let cacheKibibytes = 64 << 10

    /// - Parameters:
    ///   - isStopped: asked before each model; true leaves the former ones.
    ///   - conclude: does what else is to be committed with them.
    /// - Returns: nil where it was stopped.
    @discardableResult
    package static func run(
        _ db: Database, isStopped: () -> Bool = { false }, _ conclude: (Database) throws -> Void = { _ in }
    ) throws -> ModelState? {
        var state: ModelState?
        try db.inTransaction(.immediate) {
            state = try makeAll(db, isStopped)
            guard state != nil else { return .rollback }
            try conclude(db)
            return .commit
        }
        return state
    }

    /// The same within a transaction.
    @discardableResult
    package static func makeAll(_ db: Database, _ isStopped: () -> Bool = { false }) throws -> ModelState? {
        let cache = try Int.fetchOne(db, sql: "PRAGMA cache_size") ?? 0
        try db.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
        defer { try? db.execute(sql: "PRAGMA cache_size = \(cache)") }
        let start = ContinuousClock.now
        try forgetStatistics(db)
        let former = try ModelState(db)
        let zone = try ModelSeeds.make(replacing: former, db)
        let models = try Models.all()
        for model in models {
            guard !isStopped() else { return nil }
            do {
                try make(model, db)
            } catch let error as DatabaseError where [.SQLITE_ERROR, .SQLITE_CONSTRAINT].contains(error.resultCode) {
                throw DatabaseError(
                    resultCode: error.extendedResultCode, message: "\(model.name): \(error.message ?? "\(error)")")
            }
        }
        try dropFormer(db, but: Set(models.map(\.name)).union(Model.seeds).union([ModelState.table]))
        if try former?.definitions != Models.definitions || !db.has(Catalog.table) { try Catalog.make(db) }
        try ModelState.write(secondsSince: start, timeZone: zone, db)
        return try ModelState(db)
    }

    private static func make(_ model: Model, _ db: Database) throws {
        let columns = model.header.columns
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(model.name);
                CREATE TABLE \(model.name) (\(columns.map { "\($0.name) \($0.type ?? "ANY")" }.joined(separator: ", "))) STRICT;
                INSERT INTO \(model.name) (\(columns.map(\.name).joined(separator: ", ")))
                \(model.select);
                CREATE UNIQUE INDEX \(model.name)_key ON \(model.name) (\(model.key.joined(separator: ", ")));
                """)
        for (index, columns) in model.indices.enumerated() {
            try db.execute(
                sql: """
                    CREATE INDEX \(model.name)_index_\(index + 1)
                    ON \(model.name) (\(columns.joined(separator: ", ")))
                    """)
        }
    }

    /// Drops all models, of other versions, too. Within a transaction.
    package static func dropAll(_ db: Database) throws { try dropFormer(db, but: []) }

    private static func dropFormer(_ db: Database, but names: Set<String>) throws {
        let stored = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'model_*'")
        for name in stored where !names.contains(name) {
            try db.execute(sql: "DROP TABLE \(name.quotedDatabaseIdentifier)")
        }
    }

    /// Forgets what `ANALYZE` has counted. SQL is written for the plans that SQLite makes without, and by averages it
    /// takes some joins of thousands of rows for joins of one.
    private static func forgetStatistics(_ db: Database) throws {
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'sqlite_stat[134]'")
        guard try tables.contains(where: { try Int.fetchOne(db, sql: "SELECT 1 FROM \($0) LIMIT 1") != nil }) else {
            return
        }
        for table in tables { try db.execute(sql: "DELETE FROM \(table)") }
        try db.execute(sql: "ANALYZE sqlite_schema")
    }
}
