package import GRDB
internal import GRDBSQLite

extension DatabaseQueue {
    /// Opens a file by a path that SQLite can't misinterpret: it would treat a name that begins with `file:` as a URI,
    /// and `:memory:` as no file at all (sqlite.org/uri.html).
    package convenience init(file path: String, configuration: Configuration = Configuration()) throws {
        try self.init(path: path.hasPrefix("/") ? path : "./" + path, configuration: configuration.unobserved)
    }

    /// Opens a database in memory.
    package convenience init(inMemory configuration: Configuration) throws {
        try self.init(configuration: configuration.unobserved)
    }
}

extension Configuration {
    /// This configuration without GRDB's records for observers of writes, which name every column of a statement,
    /// thousands in views over views; nothing observes. GRDB then misses changes of the schema, so its cached columns
    /// may be outdated; ``GRDB/Database/columnNames(of:in:)`` queries SQLite instead.
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

    /// Whether the schema currently has a table, a view, an index or a trigger of this name.
    package func has(_ name: String) throws -> Bool {
        try Bool.fetchOne(
            self, sql: "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = ?)", arguments: [name]) ?? false
    }
}
