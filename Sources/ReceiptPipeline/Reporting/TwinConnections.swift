internal import Dispatch
internal import GRDB
internal import Synchronization

/// Two connections that see the same state of a database, for queries to run on
/// both at once.
struct TwinConnections {
    /// How often a state is looked for in which both can begin. A loader commits
    /// every few seconds, and to begin takes a fraction of a millisecond.
    static let greatestAttempts = 1000

    let databases: [ReportDatabase]

    /// - Throws: ``MillError`` if the file is missing or not a database of ours.
    init(path: String) throws {
        let first = try ReportDatabase(path: path, isTwin: true)
        let second = try ReportDatabase(path: path, isTwin: true)
        databases = [first, second]
        do {
            for _ in 0..<Self.greatestAttempts {
                // The version is the connection's own count of others' commits: where it stays, there was none
                // between the two beginnings.
                let before = try first.queue.inDatabase(Self.version)
                try second.queue.inDatabase(Self.begin)
                let after = try first.queue.inDatabase { connection in
                    try Self.begin(connection)
                    return try Self.version(connection)
                }
                if before == after { return }
                for database in databases { try database.queue.inDatabase { try $0.rollback() } }
            }
        } catch let error as DatabaseError {
            throw ReportDatabase.explained(error, path: path)
        }
        throw MillError(
            stage: .reporting, path: path, what: "another process commits without a pause",
            hint: "try again when it has ended", exitStatus: .tryLater)
    }

    /// Does some work on each connection, at the same time.
    ///
    /// - Parameter work: takes the connection's database and its number, 0 or 1.
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
                if isFirst { databases[1 - number].queue.interrupt() }
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
