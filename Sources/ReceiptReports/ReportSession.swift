package import GRDB
internal import MillDatabase
internal import MillSystem

/// A database opened for reports. All reports of a session see the same state of the database, unless a failure of
/// SQLite has ended the read transaction; later reports then see a newer state.
package final class ReportSession: Sendable {
    package let path: String
    private let database: ReadOnlyDatabase

    /// - Parameters:
    ///   - path: the database, which is opened for reading only.
    ///   - isBounded: whether the session limits its memory, so that many reports in one session don't make it grow
    ///     with the size of the database. This costs some speed.
    /// - Throws: ``MillError`` if the database can't be read.
    package init(database path: String, isBounded: Bool = false) throws {
        self.path = path
        database = try ReadOnlyDatabase(
            path: path, mapping: isBounded ? ReadOnlyDatabase.boundedMappedBytes : ReadOnlyDatabase.mappedBytes)
        try resume()
    }

    package var queue: DatabaseQueue { database.queue }

    /// Begins a read transaction if none is open. SQLite ends the transaction when a query runs out of disk space or
    /// memory.
    package func resume() throws {
        try read { connection in
            guard !connection.isInsideTransaction else { return }
            try connection.beginTransaction(.deferred)
            // A transaction's first read fixes the state that the session sees.
            try connection.execute(sql: "SELECT 1 FROM sqlite_schema")
        }
    }

    /// - Throws: ``MillError`` if SQLite fails.
    func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try ReadOnlyDatabase.explaining(path: path) { try queue.inDatabase(work) }
    }
}
