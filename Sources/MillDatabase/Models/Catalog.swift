internal import GRDB
internal import ReceiptSQL

/// Makes the table `catalog`, which lists the columns of public views and models for users who write queries, with the
/// descriptions from the headers of their files.
enum Catalog {
    static let table = "catalog"

    /// Whether a view is meant for users: internal ones have the prefix `model_`.
    private static func isPublic(_ file: SQLFile) -> Bool { !file.name.hasPrefix("model_") }

    /// The highest layer that a view reads, directly or through other views; a view that reads only tables of the
    /// loader belongs to the layer `sources`.
    private static func layer(of name: String) -> String {
        let layers = ["sources", "core", "marts"]
        var (seen, rest, last): (Set<String>, [String], Int) = ([], [name], 0)
        while let name = rest.popLast() {
            guard seen.insert(name).inserted else { continue }
            if let folder = layers.lastIndex(where: { SQLFile.files(in: $0).contains { $0.name == name } }) {
                last = max(last, folder)
            } else if let view = SQLFile.views.first(where: { $0.name == name }) {
                rest += TableNames.read(by: view.text)
            }
        }
        return layers[last]
    }

    /// The type of a computed column, for which SQLite states none.
    private static func type(ofUnit unit: String) -> String {
        switch unit {
        case "", "time", "date", "day", "month": "TEXT"
        case "ratio", "0 to 1": "REAL"
        default: "INTEGER"
        }
    }

    /// Creates the table anew from the database's present columns. For use within a transaction.
    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(table);
                CREATE TABLE \(table) (
                    layer    TEXT NOT NULL,
                    object   TEXT NOT NULL,
                    "column" TEXT NOT NULL,
                    type     TEXT NOT NULL,
                    unit     TEXT NOT NULL,
                    meaning  TEXT NOT NULL,
                    PRIMARY KEY (object, "column")
                ) STRICT;
                """)
        let insert = try db.makeStatement(sql: "INSERT INTO \(table) VALUES (?, ?, ?, ?, ?, ?)")
        for file in SQLFile.views where isPublic(file) {
            let layer = layer(of: file.name)
            let columns = ObjectHeader(of: file.text).columns
            let described = Dictionary(columns.map { ($0.name, $0) }) { first, _ in first }
            for row in try Row.fetchAll(
                db, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [file.name])
            {
                let (name, type): (String, String) = (row[0], row[1])
                let column = described[name]
                let unit = column.map { $0.unit == "–" ? "" : $0.unit } ?? ""
                try insert.execute(arguments: [
                    layer, file.name, name, column?.type ?? (type.isEmpty ? Self.type(ofUnit: unit) : type), unit,
                    column?.meaning ?? "",
                ])
            }
        }
    }
}
