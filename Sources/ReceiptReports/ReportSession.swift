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
        try ReadOnlyDatabase.explaining(path: path) {
            try queue.inDatabase { connection in
                guard !connection.isInsideTransaction else { return }
                try connection.beginTransaction(.deferred)
                // The first read fixes the state.
                try connection.execute(sql: "SELECT 1 FROM sqlite_schema")
            }
        }
    }
}

extension Report {
    /// Does a query's work, and interrupts it when its time is up.
    ///
    /// - Parameter explain: what a failure of SQLite means; where nil, what it means of
    ///   the database.
    func query<Result>(
        on queues: [DatabaseQueue], of path: String, timeoutSeconds: Double?,
        explain: ((DatabaseError) -> MillError)? = nil, _ work: () throws -> Result
    ) throws -> Result {
        do {
            guard let timeoutSeconds else { return try work() }
            let start = ContinuousClock.now
            let result = try Interruption.during(queues, after: timeoutSeconds, work)
            // Should every interrupt have been lost.
            if .now - start > .seconds(timeoutSeconds) { throw overdue(timeoutSeconds) }
            return result
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_INTERRUPT, let timeoutSeconds { throw overdue(timeoutSeconds) }
            throw explain?(error) ?? ReadOnlyDatabase.explained(error, path: path)
        }
    }

    fileprivate func overdue(_ seconds: Double) -> MillError {
        MillError(
            stage: .reporting, path: origin.path, what: "the query took more than \(seconds) s and was stopped",
            hint: "ask for less with --param, or allow more with --timeout", exitStatus: .tryLater)
    }
}
