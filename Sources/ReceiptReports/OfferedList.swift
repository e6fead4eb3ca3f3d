internal import GRDB
internal import MillDatabase

/// A list of the user's that reports read as a view, which is empty where no list is given.
protocol OfferedList: Sendable {
    /// The view that the list hides.
    static var view: String { get }
    /// The columns of the view with their types.
    static var columns: String { get }
    var rows: [StatementArguments] { get }
}

extension OfferedList {
    /// Puts the list into a temporary table, which hides the view of the same name from the
    /// report and from the views that it reads.
    func offer(on connection: Database) throws {
        try TemporaryViews.drop(Self.view, in: connection)
        try connection.execute(sql: "CREATE TEMP TABLE \(Self.view) (\(Self.columns))")
        let markers = Array(repeating: "?", count: Self.columns.split(separator: ",").count).joined(separator: ", ")
        let insert = try connection.makeStatement(sql: "INSERT INTO temp.\(Self.view) VALUES (\(markers))")
        for row in rows { try insert.execute(arguments: row) }
        try TemporaryViews.recreate(readersOf: Self.view, in: connection)
    }
}

/// Views of the database once more as temporary ones. A view of the database sees the
/// database alone; a temporary one sees the temporary tables that hide what it reads.
enum TemporaryViews {
    /// Drops a temporary view or table, where there is one of the name.
    static func drop(_ name: String, in connection: Database) throws {
        let former = try String.fetchOne(
            connection, sql: "SELECT type FROM temp.sqlite_schema WHERE name = ? AND type IN ('table', 'view')",
            arguments: [name])
        if let former { try connection.execute(sql: "DROP \(former) temp.\(name)") }
    }

    /// - Parameter source: what a temporary table hides; views that don't read it stay as
    ///   they are. Nil recreates all.
    static func recreate(readersOf source: String? = nil, in connection: Database) throws {
        let rows = try Row.fetchAll(
            connection,
            sql: """
                SELECT name, sql FROM main.sqlite_schema
                WHERE type = 'view' AND name NOT IN (SELECT name FROM temp.sqlite_schema)
                """)
        let views = rows.map { (name: $0[0] as String, sql: $0[1] as String) }
        let readers = source.map { ViewReferences(views).readers(of: $0) }
        for view in views where view.sql.hasPrefix("CREATE ") && readers?.contains(view.name) != false {
            try connection.execute(sql: "CREATE TEMP " + view.sql.dropFirst("CREATE ".count))
        }
    }
}
