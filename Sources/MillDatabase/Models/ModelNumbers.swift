internal import GRDB

/// Numbers of a model's keys, such as users and customers. Rows of other models stay the same from refresh to refresh
/// only if these numbers do, so a key keeps its number as long as it exists. After the key with the highest number was
/// deleted in an earlier refresh, its number may be assigned again.
enum ModelNumbers {
    private static let keys = "temp.model_keys"

    /// Assigns a number to each new key of a model.
    ///
    /// - Parameter deletes: whether to delete the keys that its SELECT does not return. It must be false in a refresh
    ///   by slices, in which the SELECT returns only few keys.
    static func give(_ number: String, to model: Model, deletes: Bool, _ db: Database) throws {
        let columns = model.key.joined(separator: ", ")
        if try !db.has(model.name) || db.columns(in: model.name, in: "main").map(\.name) != model.key + [number] {
            try ModelRefresh.makeEmpty(model, in: "main", db)
        }
        let isSame = model.key.map { "former.\($0) = made.\($0)" }.joined(separator: " AND ")
        let definitions = model.header.columns.filter { $0.name != number }.map { "\($0.name) \($0.type ?? "ANY")" }
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(keys);
                CREATE TABLE \(keys) (\(definitions.joined(separator: ", ")), PRIMARY KEY (\(columns)))
                STRICT, WITHOUT ROWID;
                INSERT INTO \(keys) (\(columns)) \(model.select);
                INSERT INTO main.\(model.name) (\(columns), \(number))
                SELECT \(columns), (SELECT coalesce(max(\(number)), 0) FROM main.\(model.name))
                    + row_number() OVER (ORDER BY \(columns))
                FROM \(keys) AS made
                WHERE NOT EXISTS (SELECT 1 FROM main.\(model.name) AS former WHERE \(isSame))
                """)
        if deletes {
            try db.execute(
                sql: """
                    DELETE FROM main.\(model.name) AS former
                    WHERE NOT EXISTS (SELECT 1 FROM \(keys) AS made WHERE \(isSame))
                    """)
        }
        try db.execute(sql: "DROP TABLE \(keys)")
    }
}
