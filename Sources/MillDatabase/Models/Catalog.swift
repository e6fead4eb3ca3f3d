internal import GRDB
internal import ReceiptSQL

/// What a person may ask of a database: the table `catalog` lists the columns of public objects, from the headers of
/// their files.
enum Catalog {
    static let table = "catalog"

    /// Whether a view or a table is a person's: those that others are made of share a prefix.
    private static func isPublic(_ file: SQLFile) -> Bool { !file.name.hasPrefix("model_") }

    /// The last of the layers that a view reads, through other views, too; a view that reads tables of the loader
    /// alone is a source.
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

    /// The type of a column that a view works out, which SQLite does not tell.
    private static func type(ofUnit unit: String) -> String {
        switch unit {
        case "", "time", "date", "day", "month": "TEXT"
        case "ratio", "0 to 1": "REAL"
        default: "INTEGER"
        }
    }

    /// Makes the table anew, of what the database has. Within a transaction.
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
