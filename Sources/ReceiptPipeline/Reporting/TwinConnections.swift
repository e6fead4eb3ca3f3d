internal import Dispatch
internal import GRDB
internal import Synchronization

/// Two connections that see the same state of a database, for queries to run on
/// both at once; one, where two can't begin in one state.
struct TwinConnections {
    /// How often a state is looked for in which both can begin. A loader commits
    /// every few seconds, and to begin takes a fraction of a millisecond: what fails so
    /// often fails always. Where SQLite may not write its index of the log (`-shm`), it
    /// makes a new one for each transaction and takes that for a commit.
    static let greatestAttempts = 10

    let databases: [ReportDatabase]

    /// - Throws: ``MillError`` if the file is missing or not a database of ours.
    init(path: String, attempts: Int = Self.greatestAttempts) throws {
        let first = try ReportDatabase(path: path, isTwin: true)
        let second = try ReportDatabase(path: path, isTwin: true)
        let twins = [first, second]
        do {
            for _ in 0..<attempts {
                // The version is the connection's own count of others' commits: where it stays, there was none
                // between the two beginnings.
                let before = try first.queue.inDatabase(Self.version)
                try second.queue.inDatabase(Self.begin)
                let after = try first.queue.inDatabase { connection in
                    try Self.begin(connection)
                    return try Self.version(connection)
                }
                if before == after {
                    databases = twins
                    return
                }
                for database in twins { try database.queue.inDatabase { try $0.rollback() } }
            }
            try first.queue.inDatabase(Self.begin)
            databases = [first]
        } catch let error as DatabaseError {
            throw ReportDatabase.explained(error, path: path)
        }
    }

    /// Does some work on each connection, at the same time.
    ///
    /// - Parameter work: takes the connection's database and its number, from 0.
    /// - Throws: what is thrown first; the other connection's query is interrupted.
    func run(_ work: @Sendable (ReportDatabase, Int) throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: databases.count) { number in
            do {
                try work(databases[number], number)
            } catch {
                let isFirst = failure.withLock { failure in
                    defer { failure = failure ?? error }
                    return failure == nil
                }
                guard isFirst else { return }
                for other in databases.indices where other != number { databases[other].queue.interrupt() }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func begin(_ connection: Database) throws {
        try connection.beginTransaction(.deferred)
        // The state is settled by the first that is read.
        try connection.execute(sql: "SELECT 1 FROM sqlite_schema")
    }

    private static func version(_ connection: Database) throws -> Int? {
        try Int.fetchOne(connection, sql: "PRAGMA data_version")
    }
}
