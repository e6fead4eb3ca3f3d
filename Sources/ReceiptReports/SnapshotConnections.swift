internal import Dispatch
internal import GRDB
package import MillDatabase
internal import Synchronization

/// Two connections that see the same state of a database, for queries to run on
/// both at once; one, where two can't begin in one state.
package struct SnapshotConnections {
    /// How often both connections try to begin in one state. A loader commits every few
    /// seconds, and beginning takes a fraction of a millisecond: what fails so often fails
    /// always. Where SQLite may not write its index of the log (`-shm`), it makes a new
    /// one for each transaction and takes that for a commit.
    static let greatestAttempts = 10

    package let databases: [ReadOnlyDatabase]

    /// - Throws: ``MillError`` if the file is missing or not a database of ours.
    init(path: String, attempts: Int = Self.greatestAttempts) throws {
        let pair = [try ReadOnlyDatabase(path: path, isPaired: true), try ReadOnlyDatabase(path: path, isPaired: true)]
        databases = try ReadOnlyDatabase.explaining(path: path) {
            if try Self.begin(pair, attempts: attempts) { return pair }
            _ = try Self.begin([pair[0]], attempts: 1)
            return [pair[0]]
        }
    }

    /// Whether each connection still sees the state in which it began.
    package var isWhole: Bool { databases.allSatisfy { $0.queue.inDatabase(\.isInsideTransaction) } }

    /// Begins once more in one state, which may be a newer one. Temporary tables
    /// that were made since the last beginning are gone then.
    package func resume() throws {
        try Self.rollBack(databases)
        guard try Self.begin(databases, attempts: Self.greatestAttempts) else {
            throw DatabaseError(resultCode: .SQLITE_BUSY, message: "no state in which two connections can begin")
        }
    }

    /// Does some work on each connection, at the same time.
    ///
    /// - Parameter work: takes the connection's database and its index.
    /// - Throws: what is thrown first; the other connection's query is interrupted.
    package func run(_ work: @Sendable (ReadOnlyDatabase, Int) throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: databases.count) { index in
            do {
                try work(databases[index], index)
            } catch {
                let isFirst = failure.withLock { failure in
                    defer { failure = failure ?? error }
                    return failure == nil
                }
                guard isFirst else { return }
                for other in databases.indices where other != index { databases[other].queue.interrupt() }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Lets connections begin in one state.
    ///
    /// - Returns: whether they have; else none of them has begun.
    private static func begin(_ databases: [ReadOnlyDatabase], attempts: Int) throws -> Bool {
        for _ in 0..<attempts {
            // The version is the connection's own count of others' commits: where it stays, there was none between the
            // first and the last beginning.
            do {
                let before = try databases[0].queue.inDatabase(version)
                for database in databases.reversed() { try database.queue.inDatabase(begin) }
                if try databases.count == 1 || databases[0].queue.inDatabase(version) == before { return true }
            } catch {
                try? rollBack(databases)
                throw error
            }
            try rollBack(databases)
        }
        return false
    }

    private static func begin(_ connection: Database) throws {
        try connection.beginTransaction(.deferred)
        // The first read fixes the state.
        try connection.execute(sql: "SELECT 1 FROM sqlite_schema")
    }

    private static func rollBack(_ databases: [ReadOnlyDatabase]) throws {
        for database in databases { try database.queue.inDatabase { try $0.rollback() } }
    }

    private static func version(_ connection: Database) throws -> Int? {
        try Int.fetchOne(connection, sql: "PRAGMA data_version")
    }
}
