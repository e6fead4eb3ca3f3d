internal import GRDB
internal import ReceiptSQL

/// Creates the table `catalog`, which lists the columns of public views and models for users who write queries, with
/// the descriptions from the headers of their files.
enum Catalog {
    static let table = "catalog"

    /// The folders of models; each reads only those before it. Views that read only the loader's tables belong to the
    /// first, in which there are no models.
    private static let layers = ["sources", "core", "marts"]

    /// The index in ``layers`` of each model.
    private static let places = Dictionary(
        uniqueKeysWithValues: layers.enumerated().flatMap { place, folder in
            SQLFile.files(in: folder).map { ($0.name, place) }
        })

    /// The index of the highest layer that a view reads, directly or through other views.
    /// - Parameter known: the indices found so far; ``places`` at first.
    private static func place(of name: String, _ known: inout [String: Int]) -> Int {
        if let place = known[name] { return place }
        var place = 0
        for source in ModelCatalog.views[name].map(TableNames.read(by:)) ?? [] {
            place = max(place, Self.place(of: source, &known))
        }
        known[name] = place
        return place
    }

    /// The type of a computed column, which SQLite does not state.
    private static func type(ofUnit unit: String) -> String {
        switch unit {
        case "", "time", "date", "day", "month": "TEXT"
        case "ratio", "0 to 1": "REAL"
        default: "INTEGER"
        }
    }

    /// Creates the table again from the database's present columns. For use within a transaction.
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
        var places = places
        // Internal views have a prefix. For a view that only reports read, the header states `Catalog: no`.
        for file in SQLFile.views where !file.name.hasPrefix("internal_") {
            let header = ObjectHeader(of: file.text)
            guard header.values(of: "Catalog") != ["no"] else { continue }
            let layer = layers[place(of: file.name, &places)]
            let columns = header.columns
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
