package import GRDB

/// Computes all models from all documents, in temporary tables beside the rows that refreshes by slices (of changed
/// rows only) have produced, and replaces the rows of models that differ.
package struct ModelComparison {
    private let db: Database
    private let models: [Model]

    /// - Parameters:
    ///   - onModel: called before each model.
    ///   - isStopped: called before each model; if it returns true, everything is left unchanged.
    /// - Returns: descriptions of the differences; nil if the comparison was stopped.
    package static func run(
        _ db: Database, onModel: (ModelProgress) -> Void = { _ in }, isStopped: () -> Bool = { false }
    ) throws -> [String]? {
        var differences: [String]?
        try db.inTransaction(.immediate) {
            differences = try ModelRefresh.withLargeCache(db) {
                do {
                    // The comparison computes every model that may leave rows out.
                    try LeftOutRows.makeTable(db)
                    let found = try ModelComparison(db, ModelCatalog.all()).replaceDifferent(onModel, isStopped)
                    try ModelState.noteComparison(db)
                    return found
                } catch is CancellationError {
                    return nil
                }
            }
            return differences == nil ? .rollback : .commit
        }
        return differences
    }

    private init(_ db: Database, _ models: [Model]) { (self.db, self.models) = (db, models) }

    private func replaceDifferent(_ onModel: (ModelProgress) -> Void, _ isStopped: () -> Bool) throws -> [String] {
        let computed = models.filter { $0.numbered == nil }
        var differences: [String] = []
        var views = ShadowViews(db)
        defer {
            try? views.drop()
            for model in computed { try? db.execute(sql: "DROP TABLE IF EXISTS temp.\(model.name)") }
        }
        try views.make(readBy: models, over: Set(computed.map(\.name)))
        for (place, model) in models.enumerated() {
            guard !isStopped() else { throw CancellationError() }
            onModel(ModelProgress(name: model.name, place: place + 1, count: models.count))
            if let number = model.numbered {
                // Users and customers keep their numbers, because rows of other models refer to them.
                let former = try count(of: model)
                try ModelNumbers.give(number, to: model, deletes: false, db)
                if try count(of: model) > former { differences.append("\(model.name): a row is missing") }
            } else {
                try ModelRefresh.make(model, into: "temp", db)
            }
        }
        for model in computed where model.isKept {
            let columns = model.header.columns.map(\.name).joined(separator: ", ")
            let found = try Self.difference(
                of: model, stored: "SELECT \(columns) FROM main.\(model.name)",
                computed: "SELECT \(columns) FROM temp.\(model.name)", db)
            guard let found else { continue }
            differences.append(found)
            try db.execute(
                sql: """
                    DELETE FROM main.\(model.name);
                    INSERT INTO main.\(model.name) (\(columns)) SELECT \(columns) FROM temp.\(model.name)
                    """)
        }
        return differences
    }

    private func count(of model: Model) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM main.\(model.name)") ?? 0
    }

    /// The first difference between the rows that a model has and those that it should have; nil if there is none.
    static func difference(of model: Model, stored: String, computed: String, _ db: Database) throws -> String? {
        for (rows, others, what) in [
            (stored, computed, "a row that documents don't give"), (computed, stored, "a row is missing"),
        ] {
            guard let row = try Row.fetchOne(db, sql: "\(rows) EXCEPT \(others) LIMIT 1") else { continue }
            let key = model.key.map { "\($0) \(row[$0] as DatabaseValue)" }.joined(separator: ", ")
            return "\(model.name): \(what): \(key)"
        }
        return nil
    }
}
