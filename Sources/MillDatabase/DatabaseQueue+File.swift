package import GRDB

extension DatabaseQueue {
    /// A connection to a file, whatever its name looks like: SQLite takes a name that begins
    /// with `file:` for a URI, and `:memory:` for no file at all (sqlite.org/uri.html).
    package convenience init(file path: String, configuration: Configuration = Configuration()) throws {
        try self.init(path: path.hasPrefix("/") ? path : "./" + path, configuration: configuration)
    }
}
