internal import GRDB
internal import MillSystem

/// Temporary tables that hide those of the same name and contain only the rows of a slice, the rows that new documents
/// affect. SQLite searches a name first among temporary tables, so the models' own SELECTs compute the slice.
struct ShadowTables {
    private let db: Database
    /// The `receipt_id` of the last document of the previous refresh, if these tables are to contain the rows as they
    /// were at that refresh; nil if they are to contain the present rows.
    private let lastReceipt: Int64?
    private(set) var tables: [String] = []
    private var views: ShadowViews

    init(_ db: Database, until lastReceipt: Int64? = nil) {
        (self.db, self.lastReceipt) = (db, lastReceipt)
        views = ShadowViews(db)
    }

    /// Hides the loader's tables that models read and whose rows belong to a slice, and the views over them and over
    /// hidden models.
    mutating func make(readBy models: [Model], over others: [Model]) throws {
        let names = Set(models.flatMap(\.allSources)).sorted()
        for name in names where !name.hasPrefix("model_") && ModelCatalog.views[name] == nil {
            guard let rows = try rows(of: name) else { continue }
            try copy(name, rows)
        }
        try views.make(readBy: models, over: Set(tables).union(others.map(\.name)))
    }

    func drop() throws {
        try views.drop()
        for table in tables { try db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)") }
    }

    /// The rows of a table that belong to a slice, named `own`; nil if the table's rows, such as apps, belong to no
    /// slice.
    private func rows(of name: String) throws -> String? {
        guard let table = LoaderTable.named(name), let key = SliceKey.with(columns: table.owner.identifier) else {
            return nil
        }
        let rows = table.rows(ofOwnersIn: "temp.\(key.table)")
        guard let lastReceipt else { return rows }
        switch table.owner {
        case .submission: return rows + " WHERE slice.round > 0"
        case .receipt: return rows + " WHERE slice.receipt_id <= \(lastReceipt)"
        default:
            throw MillError(
                stage: .refreshing, what: "\(name) is summed by a model, and new documents change its rows",
                exitStatus: .internalFault)
        }
    }

    /// Copies rows into a temporary table with the columns, the key and the indices of the table that it hides.
    private mutating func copy(_ table: String, _ rows: String) throws {
        let columns = try Row.fetchAll(db, sql: "SELECT name, type, pk FROM pragma_table_xinfo(?)", arguments: [table])
            .map { (name: $0[0] as String, type: $0[1] as String, place: $0[2] as Int) }
        let key = columns.filter { $0.place > 0 }.sorted { $0.place < $1.place }
        let isRowNumber = key.count == 1 && key[0].type == "INTEGER"
        let definitions = columns.map { "\($0.name) \($0.type)" } + ["PRIMARY KEY (\(Self.list(key.map(\.name))))"]
        let names = columns.map(\.name)
        tables.append(table)
        // Only in strict tables does a column of the type ANY keep texts as they are.
        try db.execute(
            sql: """
                CREATE TEMP TABLE \(table) (\(Self.list(definitions))) STRICT\(isRowNumber ? "" : ", WITHOUT ROWID");
                INSERT INTO temp.\(table) (\(Self.list(names)))
                SELECT \(Self.list(names.map { "own.\($0)" })) FROM \(rows)
                """)
        for index in try Row.fetchAll(
            db, sql: "SELECT name, origin FROM pragma_index_list(?, 'main') WHERE origin <> 'pk'", arguments: [table])
        {
            let (name, origin): (String, String) = (index[0], index[1])
            let text = try String.fetchOne(
                db, sql: "SELECT sql FROM main.sqlite_schema WHERE name = ?", arguments: [name])
            if let range = text?.firstRange(of: " ON "), let text {
                try db.execute(sql: "CREATE INDEX temp.slice_\(name)\(text[range.lowerBound...])")
            } else if origin == "u" {
                let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_index_info(?)", arguments: [name])
                try db.execute(
                    sql: "CREATE UNIQUE INDEX temp.slice_\(name) ON \(table) (\(Self.list(columns)))")
            }
        }
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
