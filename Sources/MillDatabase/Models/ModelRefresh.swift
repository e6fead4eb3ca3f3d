package import GRDB
internal import MillSystem

/// Computes all models in one transaction, so that readers see the former ones until all new ones are complete, and a
/// killed run has changed nothing.
package enum ModelRefresh {
    /// Memory for pages and sorts, in KiB; larger sorts use temporary files.
    private static let cacheKibibytes = 64 << 10

    /// - Parameters:
    ///   - run: the run to which new signals are attributed; nil if no run is active.
    ///   - isWhole: whether to compute everything again, even if computing a slice would do.
    ///   - maximumShare: the maximum share of all transactions in a slice; if more have changed, everything is
    ///     computed.
    ///   - onModel: called before each model.
    ///   - isStopped: called before each model; if it returns true, all models are rolled back.
    /// - Returns: the new state; nil if the refresh was stopped.
    @discardableResult
    package static func run(
        _ db: Database, foundBy run: Int64? = nil, isWhole: Bool = false, maximumShare: Double = Slice.maximumShare,
        onModel: (ModelProgress) -> Void = { _ in }, isStopped: () -> Bool = { false }
    ) throws -> ModelState? {
        var state: ModelState?
        try db.inTransaction(.immediate) {
            state = try makeAll(
                db, foundBy: run, isWhole: isWhole, maximumShare: maximumShare, onModel: onModel, isStopped)
            return state == nil ? .rollback : .commit
        }
        return state
    }

    /// Computes all models as ``run(_:foundBy:isWhole:maximumShare:onModel:isStopped:)`` does, within the caller's
    /// transaction.
    @discardableResult
    package static func makeAll(
        _ db: Database, foundBy run: Int64? = nil, isWhole: Bool = false, maximumShare: Double = Slice.maximumShare,
        onModel: (ModelProgress) -> Void = { _ in }, _ isStopped: () -> Bool = { false }
    ) throws -> ModelState? {
        try withLargeCache(db) {
            let start = ContinuousClock.now
            try forgetStatistics(db)
            let former = try ModelState(db)
            var reason = try isWhole ? .asked : ModelState.needsWhole(former, db)
            let zone = try ModelSeeds.make(replacing: former, foundBy: run, db)
            try LeftOutRows.makeTable(db)
            let models = try ModelCatalog.all()
            defer {
                for model in models where !model.isKept {
                    try? db.execute(sql: "DROP TABLE IF EXISTS temp.\(model.name)")
                }
            }
            var touched: Int?
            do {
                var place = 0
                func begin(_ model: Model, of count: Int) throws {
                    guard !isStopped() else { throw CancellationError() }
                    place += 1
                    onModel(ModelProgress(name: model.name, place: place, count: count))
                }
                if reason == nil, let former, former.isCurrent {
                    touched = 0
                } else if reason == nil, let former {
                    do {
                        touched = try withoutActuallyEscaping(begin) { begin in
                            let plan = try ModelPlan.present()
                            return try SlicedRefresh(db, plan, replacing: former) { try begin($0, plan.count) }
                                .run(upTo: maximumShare)
                        }
                    } catch let found as WholeRefresh {
                        reason = found
                    } catch let error as DatabaseError where LeftOutRows.explains(error) {
                        reason = .misfit
                    }
                }
                if reason != nil {
                    place = 0
                    try LeftOutRows.makeTable(db)
                    for model in models {
                        try begin(model, of: models.count)
                        try make(model, into: nil, deletesNumbers: true, db)
                    }
                }
            } catch is CancellationError {
                return nil
            }
            try keepSightings(db)
            try LoadedLines.save(db)
            let kept = Set(models.filter(\.isKept).map(\.name)).union(Model.seeds)
            try dropFormer(db, but: kept.union([ModelState.table, LeftOutRows.table, LoadedLines.table]))
            if try former?.definitions != ModelCatalog.definitions || !db.has(Catalog.table) { try Catalog.make(db) }
            try ModelState.write(
                secondsSince: start, timeZone: zone, touched: touched, wholeBecause: reason,
                wholeAt: reason == nil ? former?.wholeAt : nil, db)
            return try ModelState(db)
        }
    }

    /// Does work with a large cache for pages and sorts. Temporary tables have a separate cache.
    static func withLargeCache<Result>(_ db: Database, _ work: () throws -> Result) throws -> Result {
        let caches = try ["main", "temp"].map { ($0, try Int.fetchOne(db, sql: "PRAGMA \($0).cache_size") ?? 0) }
        for schema in ["main", "temp"] { try db.execute(sql: "PRAGMA \(schema).cache_size = -\(cacheKibibytes)") }
        defer {
            for (schema, pages) in caches { try? db.execute(sql: "PRAGMA \(schema).cache_size = \(pages)") }
        }
        return try work()
    }

    /// Records a run as the finder of all signals that have no finder yet, since a command between two runs may have
    /// refreshed the models. For use within a transaction.
    package static func recordSightings(run: Int64, _ db: Database) throws {
        for table in ["model_signals", "model_cases"] {
            try db.execute(sql: "UPDATE \(table) SET found_by = ? WHERE found_by IS NULL", arguments: [run])
        }
        try keepSightings(db)
    }

    /// Stores which run has first found each signal, since this can't be computed again. Records of signals that no
    /// longer exist are deleted.
    private static func keepSightings(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM signal_sighting WHERE NOT EXISTS (
                    SELECT 1 FROM model_signals AS found
                    WHERE found.submission_id = signal_sighting.submission_id
                        AND found.signal = signal_sighting.signal
                        AND found.transaction_id = signal_sighting.transaction_id);
                INSERT OR IGNORE INTO signal_sighting (submission_id, signal, transaction_id, run_id)
                SELECT submission_id, signal, transaction_id, found_by FROM model_signals WHERE found_by IS NOT NULL
                """)
    }

    /// Computes one model. Rows that violate its key or a column's type are left out and recorded.
    ///
    /// - Parameter schema: the schema of the table; nil for the model's own.
    static func make(
        _ model: Model, into schema: String? = nil, deletesNumbers: Bool = true, _ db: Database
    ) throws {
        do {
            if let number = model.numbered {
                return try ModelNumbers.give(number, to: model, deletes: deletesNumbers, db)
            }
            let schema = schema ?? Self.schema(of: model)
            try makeEmpty(model, in: schema, db)
            let (table, columns) = ("\(schema).\(model.name)", model.header.columns.map(\.name))
            do {
                try db.execute(sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) \(model.select)")
            } catch let error as DatabaseError where LeftOutRows.explains(error) {
                // SQLite has undone only this statement, so the table is empty again.
                try LeftOutRows.insertOthers(of: model, into: table, db)
            }
            try makeIndices(of: model, in: schema, db)
        } catch let error as DatabaseError where [.SQLITE_ERROR, .SQLITE_CONSTRAINT].contains(error.resultCode) {
            throw DatabaseError(
                resultCode: error.extendedResultCode, message: "\(model.name): \(error.message ?? "\(error)")")
        }
    }

    static func makeIndices(of model: Model, in schema: String, _ db: Database) throws {
        for (place, index) in model.indices.enumerated() {
            try db.execute(
                sql: """
                    CREATE INDEX \(schema).\(model.name)_index_\(place + 1)
                    ON \(model.name) (\(index.columns.joined(separator: ", ")))
                    \(index.condition.map { "WHERE \($0)" } ?? "")
                    """)
        }
    }

    /// The schema of a model's table. Statements have to name it: an earlier version may have kept a model that is
    /// temporary now, and a temporary table hides a table of the same name.
    private static func schema(of model: Model) -> String { model.isKept ? "main" : "temp" }

    /// Creates a model's table without rows. If the key is a single integer, or the model assigns numbers to its keys,
    /// this number is the row number, because other models join by it. For any other key, the table is WITHOUT ROWID,
    /// so that the key needs no second tree. The key's columns come first: otherwise the integrity check of SQLite 3.40
    /// confuses the columns of such a table and reports damage.
    static func makeEmpty(_ model: Model, in schema: String, _ db: Database) throws {
        let others = model.header.columns.filter { !model.key.contains($0.name) }
        let columns = model.key.compactMap { key in model.header.columns.first { $0.name == key } } + others
        let rowNumber = model.numbered ?? (model.key.count == 1 ? model.key[0] : nil)
        let isRowNumber = columns.contains { $0.name == rowNumber && $0.type == "INTEGER" }
        let key = "(\(model.key.joined(separator: ", ")))"
        let keys = model.numbered.map { ["PRIMARY KEY (\($0))", "UNIQUE \(key)"] } ?? ["PRIMARY KEY \(key)"]
        let definitions = columns.map { "\($0.name) \($0.type ?? "ANY")" } + keys
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(schema).\(model.name);
                CREATE TABLE \(schema).\(model.name) (\(definitions.joined(separator: ", ")))
                STRICT\(isRowNumber ? "" : ", WITHOUT ROWID")
                """)
    }

    /// Empties all models and deletes their state; views that read them then return no rows. For use within a
    /// transaction.
    ///
    /// - Parameter keepsNumbers: whether users and customers keep their numbers, and so their names.
    package static func clear(_ db: Database, keepsNumbers: Bool = false) throws {
        let models = try ModelCatalog.all().filter(\.isKept)
        let numbered = try keepsNumbers ? models.filter { try $0.numbered != nil && db.has($0.name) } : []
        let names = Set(numbered.map(\.name))
        try dropFormer(db, but: names)
        try ModelSeeds.makeEmpty(db)
        for model in models where !names.contains(model.name) { try makeEmpty(model, in: "main", db) }
        try Catalog.make(db)
    }

    private static func dropFormer(_ db: Database, but names: Set<String>) throws {
        let stored = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'model_*'")
        for name in stored where !names.contains(name) {
            try db.execute(sql: "DROP TABLE main.\(name.quotedDatabaseIdentifier)")
        }
    }

    /// Deletes the statistics of `ANALYZE`. The models' SQL is written for the plans that SQLite chooses without
    /// statistics; with averages, SQLite plans some joins of thousands of rows as if they were joins of one.
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
