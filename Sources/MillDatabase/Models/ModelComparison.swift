internal import GRDB

/// Computes all models from everything into temporary tables, beside the rows that refreshes by slices have left, and
/// replaces the rows of models that differ.
struct ModelComparison {
    private let db: Database
    private let models: [Model]

    init(_ db: Database, _ models: [Model]) { (self.db, self.models) = (db, models) }

    /// - Parameter onModel: called before each model; throws to stop.
    /// - Returns: descriptions of the differences.
    func replaceDifferent(onModel: (Model) throws -> Void) throws -> [String] {
        // Numbers of users and customers stay, because rows of all models name them.
        let computed = models.filter { $0.numbered == nil }
        var views = ShadowViews(db)
        defer {
            try? views.drop()
            for model in computed { try? db.execute(sql: "DROP TABLE IF EXISTS temp.\(model.name)") }
        }
        try views.make(readBy: computed, over: Set(computed.map(\.name)))
        for model in computed {
            try onModel(model)
            try ModelRefresh.make(model, into: "temp", db)
        }
        var differences: [String] = []
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

    /// The first difference between the rows that a model has and those that it should have; nil where there is none.
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
