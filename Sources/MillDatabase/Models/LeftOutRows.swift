package import GRDB

/// Rows that a refresh leaves out of a model because they violate its key or a column's type, so that no document can
/// make a refresh fail. The table stores only their number and the first examples, because one defect may affect any
/// number of rows.
package struct LeftOutRows: Sendable, Hashable {
    package let model: String
    /// What the rows violate, as worded by SQLite.
    package let reason: String
    package let count: Int
    /// The keys of the first rows. If a key is an internal number, the transaction is shown instead.
    package let examples: String

    /// The rows as a sentence for `check`.
    package var text: String { "\(model): \(count) left out (\(reason)), first \(examples)" }

    static let table = "model_left_out"
    private static let maximumExamples = 10

    /// All rows that the last refresh left out; none if the models were never refreshed.
    package static func all(_ db: Database) throws -> [LeftOutRows] {
        guard try db.has(table) else { return [] }
        return try Row.fetchAll(db, sql: "SELECT model, reason, rows, examples FROM \(table) ORDER BY model, reason")
            .map { LeftOutRows(model: $0[0], reason: $0[1], count: $0[2], examples: $0[3]) }
    }

    static func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(table);
                CREATE TABLE \(table) (
                    model    TEXT    NOT NULL,
                    reason   TEXT    NOT NULL,
                    rows     INTEGER NOT NULL,
                    examples TEXT    NOT NULL,
                    PRIMARY KEY (model, reason)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Whether an error means that a row violates a key or a column's type.
    static func explains(_ error: DatabaseError) -> Bool {
        [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
    }

    /// Inserts a model's rows one by one, for a model whose rows SQLite refused as a whole, and records the refused
    /// rows. The rows are sorted by their columns, so that among rows with the same key every refresh keeps the same
    /// one.
    static func insertOthers(of model: Model, into table: String, _ db: Database) throws {
        let names = model.header.columns.map(\.name)
        let sql = """
            INSERT INTO \(table) (\(names.joined(separator: ", ")))
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """
        var insert = try db.makeStatement(sql: sql)
        let order = names.indices.map { "\($0 + 1)" }.joined(separator: ", ")
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM (\n\(model.select)\n) ORDER BY \(order)")
        var refused: [String: (count: Int, examples: [String])] = [:]
        while let row = try rows.next() {
            do {
                try insert.execute(arguments: StatementArguments(row.databaseValues))
            } catch let error as DatabaseError where explains(error) {
                // SQLite repeats a statement's error when the statement is reset for the next row.
                insert = try db.makeStatement(sql: sql)
                let reason = error.message ?? "\(error.extendedResultCode)"
                refused[reason, default: (0, [])].count += 1
                if refused[reason, default: (0, [])].examples.count < maximumExamples {
                    let values = Dictionary(zip(names, row.databaseValues)) { first, _ in first }
                    let example = try model.key.map { try Self.name($0, values[$0] ?? .null, db) }
                    refused[reason]?.examples.append(example.joined(separator: ", "))
                }
            }
        }
        for (reason, rows) in refused {
            try db.execute(
                sql: "INSERT INTO \(Self.table) VALUES (?, ?, ?, ?)",
                arguments: [model.name, reason, rows.count, rows.examples.joined(separator: "; ")])
        }
    }

    /// Describes one column of a key. A purchase is shown by its transaction, because a person can't look up its
    /// internal number.
    private static func name(_ column: String, _ value: DatabaseValue, _ db: Database) throws -> String {
        let transaction =
            "SELECT CAST(transaction_id AS TEXT) || ' of ' || bundle_id FROM purchase JOIN app USING (app_id)"
        if column == "purchase_id",
            let name = try String.fetchOne(db, sql: "\(transaction) WHERE purchase_id = ?", arguments: [value])
        {
            return "transaction \(name)"
        }
        return "\(column) \(String.fromDatabaseValue(value) ?? value.description)"
    }
}
