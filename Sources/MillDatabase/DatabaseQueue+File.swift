package import GRDB
internal import GRDBSQLite

extension DatabaseQueue {
    /// Opens a file by a path that SQLite can't misread: it takes a name that begins with `file:` for a URI, and
    /// `:memory:` for no file at all (sqlite.org/uri.html).
    package convenience init(file path: String, configuration: Configuration = Configuration()) throws {
        try self.init(path: path.hasPrefix("/") ? path : "./" + path, configuration: configuration.unobserved)
    }

    /// Opens a database in memory.
    package convenience init(inMemory configuration: Configuration) throws {
        try self.init(configuration: configuration.unobserved)
    }
}

extension Configuration {
    /// This configuration without GRDB's notes for observers of writes, which name every column of a statement,
    /// thousands in views over views. Nothing observes. As GRDB then misses changes of the schema, its memory of
    /// columns may be outdated: ``GRDB/Database/columnNames(of:in:)`` asks SQLite.
    fileprivate var unobserved: Configuration {
        var configuration = self
        configuration.prepareDatabase { sqlite3_set_authorizer($0.sqliteConnection, nil, nil) }
        return configuration
    }
}

extension Database {
    /// The present columns of a table or a view, in order.
    package func columnNames(of name: String, in schema: String = "main") throws -> [String] {
        try String.fetchAll(self, sql: "SELECT name FROM pragma_table_info(?, ?)", arguments: [name, schema])
    }

    /// Whether the schema has a table, a view, an index or a trigger of this name at present.
    package func has(_ name: String) throws -> Bool {
        try Bool.fetchOne(
            self, sql: "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = ?)", arguments: [name]) ?? false
    }
}
