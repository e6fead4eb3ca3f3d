package import GRDB
internal import GRDBSQLite

extension DatabaseQueue {
    /// A connection to a file, whatever its name looks like: SQLite takes a name that begins
    /// with `file:` for a URI, and `:memory:` for no file at all (sqlite.org/uri.html).
    package convenience init(file path: String, configuration: Configuration = Configuration()) throws {
        try self.init(path: path.hasPrefix("/") ? path : "./" + path, configuration: configuration.unobserved)
    }

    /// A database in memory.
    package convenience init(inMemory configuration: Configuration) throws {
        try self.init(configuration: configuration.unobserved)
    }
}

extension Configuration {
    /// The same without what GRDB notes for observers of writes: every column that a statement
    /// names, of views over views thousands. No one observes. GRDB is not told of changes of the
    /// schema either; what it remembers of one may be old: ``GRDB/Database/columnNames(of:in:)``.
    fileprivate var unobserved: Configuration {
        var configuration = self
        configuration.prepareDatabase { sqlite3_set_authorizer($0.sqliteConnection, nil, nil) }
        return configuration
    }
}

extension Database {
    /// The columns of a table or a view, in their order, as the schema is now.
    package func columnNames(of name: String, in schema: String = "main") throws -> [String] {
        try String.fetchAll(self, sql: "SELECT name FROM pragma_table_info(?, ?)", arguments: [name, schema])
    }

    /// Whether the schema has a table, a view, an index or a trigger of this name now.
    package func has(_ name: String) throws -> Bool {
        try Bool.fetchOne(
            self, sql: "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = ?)", arguments: [name]) ?? false
    }
}
