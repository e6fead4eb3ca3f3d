package import GRDB
internal import MillDatabase
internal import MillSystem

/// A database opened for reports, which all see one state; a newer one from where a failure of SQLite has ended it.
package final class ReportSession: Sendable {
    package let path: String
    private let database: ReadOnlyDatabase

    /// - Parameter path: the database; what is opened stays open for reading only.
    /// - Throws: ``MillError`` if the database can't be read.
    package init(database path: String) throws {
        self.path = path
        database = try ReadOnlyDatabase(path: path)
        try resume()
    }

    package var queue: DatabaseQueue { database.queue }

    /// Sees one state again, where SQLite has ended the transaction: a query that runs out of disk or memory takes it
    /// along.
    package func resume() throws {
        try read { connection in
            guard !connection.isInsideTransaction else { return }
            try connection.beginTransaction(.deferred)
            // The first read fixes the state.
            try connection.execute(sql: "SELECT 1 FROM sqlite_schema")
        }
    }

    /// - Throws: ``MillError`` where SQLite fails.
    func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try ReadOnlyDatabase.explaining(path: path) { try queue.inDatabase(work) }
    }
}
