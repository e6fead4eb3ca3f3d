internal import Foundation
package import GRDB
package import MillDatabase
package import MillSystem

/// The database, open for loading by this run alone.
package final class LoadDatabase {
    package let queue: DatabaseQueue
    package let path: String
    private let lock: RunLock?

    /// Bytes of a page: half as many are written as with SQLite's own 4096, each
    /// twice, to the log and to the file. Larger ones would write more when few
    /// rows are added to many.
    private static let pageSize = 8192
    /// Memory for pages, in KiB. A window goes through each tree in the order of its keys and
    /// needs few pages twice: the same memory spent on larger windows writes less.
    private static let cacheKibibytes = 8 << 10

    /// Opens or makes the database, brings its views to this version's, and
    /// keeps other runs out until it is closed.
    ///
    /// - Parameters:
    ///   - wait: waits while another run holds the database; nil fails at once.
    ///   - migration: brings older tables to this version's; nil refuses them.
    package init(
        path: String, waiting wait: RunLock.Wait? = nil, migration: SchemaMigration? = nil
    ) throws(MillError) {
        self.path = path
        try Self.refuseUnusable(path)
        lock = try RunLock(database: path, waiting: wait)
        try Self.makePrivateFile(RealPath.of(path))
        DatabaseModes.correct(RealPath.of(path))
        do {
            queue = try DatabaseQueue(file: path, configuration: Self.writing)
            try SchemaMigration.prepare(queue, path: path, migration)
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Opens the database to see what a run would do: nothing is written, and no
    /// run is kept out. One that is yet to be made is empty.
    package init(examining path: String) throws(MillError) {
        self.path = path
        lock = nil
        try Self.refuseUnusable(path)
        try RunLock.refuseUnusable(of: path)
        try DatabaseModes.refuseReadOnly(RealPath.of(path))
        do {
            if FileManager.default.fileExists(atPath: path) {
                var configuration = Configuration()
                configuration.readonly = true
                configuration.busyMode = .timeout(ReadOnlyDatabase.busyTimeoutSeconds)
                let stored = try DatabaseQueue(file: path, configuration: configuration)
                if try stored.read({ try Schema.version(of: $0) }) != nil {
                    queue = stored
                    return
                }
            }
            queue = try DatabaseQueue(inMemory: Configuration())
            try queue.writeWithoutTransaction { try Schema.prepare($0) }
        } catch {
            throw Self.failure(error, path)
        }
    }

    private static func refuseUnusable(_ path: String) throws(MillError) {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw MillError(
                stage: .loading, path: path, what: "is a directory, not a database", exitStatus: .cannotCreate)
        }
        guard !path.hasSuffix("/") else {
            throw MillError(
                stage: .loading, path: path, what: "ends in a slash, and a database is no folder",
                hint: "remove the slash", exitStatus: .cannotCreate)
        }
        try FileOwner.refuseForeignLinks(path, at: .loading)
        try FileOwner.refuseForeignFile(path, at: .loading)
        try DatabaseName.refuseSecond(path, at: .loading)
    }

    private static func failure(_ error: any Error, _ path: String) -> MillError {
        var failure = MillError(error, at: .loading, path: path)
        failure.path = failure.path ?? path
        return failure
    }

    package func access<Result>(_ work: (Database) throws -> Result) throws(MillError) -> Result {
        do {
            return try queue.writeWithoutTransaction(work)
        } catch {
            throw MillError(error, at: .loading, path: path)
        }
    }

    /// A new database is its owner's alone, as are the files that SQLite makes
    /// beside it: it holds who bought what.
    private static func makePrivateFile(_ path: String) throws(MillError) {
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 {
            FileOwner.give(made, as: PathParts.folder(of: path))
            close(made)
            return
        }
        guard errno == EEXIST else {
            throw MillError(
                stage: .loading, path: path, what: "the database can't be made: \(String(cString: strerror(errno)))",
                hint: MillError.hintOnPermissions, exitStatus: .writing(errno))
        }
        try FileOwner.refuseForeignFile(path, at: .loading)
    }

    /// WAL lets readers read while this run writes. With `synchronous = NORMAL`
    /// a power cut may take back the last transactions, rows and progress
    /// together, which the next run then loads again; it never damages the file.
    private static var writing: Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        // A window of rows stays one transaction over many accesses.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(10)
        // References are identifiers that the loader has just looked up or given out;
        // looking each up again would cost a tenth of the whole load.
        configuration.foreignKeysEnabled = false
        configuration.label = "receiptmill-loading"
        configuration.prepareDatabase { db in
            // Takes effect while the file is empty.
            try db.execute(sql: "PRAGMA page_size = \(pageSize)")
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
        }
        return configuration
    }
}
