internal import Foundation
package import GRDB
package import MillDatabase
package import MillSystem

/// The connection through which a database is changed: by one run at a time, which has its lock.
///
/// What stands in the tables is read and written by the stores, one for each kind of thing.
package final class Warehouse {
    package let queue: DatabaseQueue
    package let path: String
    private let lock: RunLock?
    /// How long locks of other programs are waited for.
    let patience: LockPatience

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
        let patience = LockPatience(stop: wait?.stop ?? CancellationFlag())
        self.patience = patience
        // Between two attempts it is told who is waited for.
        if wait != nil { patience.limit = .seconds(1) }
        queue = try Self.waiting(wait) { () throws(MillError) in
            do {
                let queue = try DatabaseQueue(file: path, configuration: Self.writing(patience))
                try SchemaMigration.prepare(queue, path: path, migration)
                return queue
            } catch {
                throw Self.failure(error, path)
            }
        }
        if let wait { patience.limit = max(wait.limit, LockPatience.usual) }
    }

    /// Waits for locks of other programs no longer than every connection does: one has outlasted all waiting.
    package func endPatience() { patience.limit = LockPatience.usual }

    /// Does work again while another program holds a lock of the database's, which is told once a minute.
    private static func waiting<Result>(
        _ wait: RunLock.Wait?, _ work: () throws(MillError) -> Result
    ) throws(MillError) -> Result {
        let start = ContinuousClock.now
        var nextWord = start
        while true {
            do throws(MillError) {
                return try work()
            } catch {
                let now = ContinuousClock.now
                if error.code == .databaseLocked, let wait, wait.stop.isCancelled {
                    throw MillError(
                        .interrupted, stage: error.stage, path: error.path,
                        what: "was asked to stop while another program locked the database", exitStatus: .tryLater)
                }
                guard error.code == .databaseLocked, let wait, !wait.stop.isCancelled, now - start < wait.limit else {
                    throw error
                }
                if now >= nextWord {
                    wait.onWait(nil)
                    nextWord = now + .seconds(60)
                }
            }
        }
    }

    /// Opens the database to see what a run would do: nothing is written, and no
    /// run is kept out. One that is yet to be made is empty.
    package init(examining path: String) throws(MillError) {
        self.path = path
        lock = nil
        patience = LockPatience()
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

    // MARK: Access

    package func access<Result>(_ work: (Database) throws -> Result) throws(MillError) -> Result {
        do {
            return try queue.writeWithoutTransaction(work)
        } catch {
            throw MillError(error, at: .loading, path: path)
        }
    }

    /// Does work in one transaction, which is rolled back where the work throws.
    package func transaction<Result>(_ work: (Database) throws -> Result) throws(MillError) -> Result {
        try access { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            do {
                let result = try work(db)
                try db.execute(sql: "COMMIT")
                return result
            } catch {
                // SQLite has rolled back already where the disk is full, say.
                if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
                throw error
            }
        }
    }

    /// All rows that a statement gives.
    package func rows(_ sql: String, _ arguments: StatementArguments = []) throws(MillError) -> [Row] {
        try access { db in try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// The first row that a statement gives; nil where it gives none.
    package func row(_ sql: String, _ arguments: StatementArguments = []) throws(MillError) -> Row? {
        try access { db in try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// The first column of the first row that a statement gives; nil where it gives none.
    package func value<Value: DatabaseValueConvertible>(
        _ sql: String, _ arguments: StatementArguments = []
    ) throws(MillError) -> Value? {
        try access { db in try Value.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// The first column of all rows that a statement gives.
    package func values<Value: DatabaseValueConvertible>(
        _ sql: String, _ arguments: StatementArguments = []
    ) throws(MillError) -> [Value] {
        try access { db in try Value.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// Moves the write-ahead log into the database and empties it, unless a
    /// reader still needs it.
    ///
    /// - Returns: bytes of the log afterwards.
    @discardableResult package func emptyLog() throws(MillError) -> Int64 {
        // Readers are no program that will end soon.
        let limit = patience.limit
        patience.limit = min(limit, LockPatience.usual)
        defer { patience.limit = limit }
        try access { db in
            // Passive first: waiting for readers, as TRUNCATE does, is worth it
            // only if they have nothing left to read of the log.
            let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
            if let row, row[1] as Int == row[2] { try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        return FileStamp(path: RealPath.of(path) + "-wal")?.bytes ?? 0
    }

    /// What is wrong with the file itself: pages, and the tables and indices that they belong to.
    package func damage() throws(MillError) -> [String] { try access { try DatabaseDamage($0)?.faults ?? [] } }

    /// Which database this is, and how far it has come.
    package func stamp() throws(MillError) -> DatabaseStamp { try access(DatabaseStamp.init) }

    // MARK: Stores

    package var archives: ArchiveStore { ArchiveStore(self) }
    package var documents: DocumentStore { DocumentStore(self) }
    package var models: ModelStore { ModelStore(self) }
    package var pseudonyms: PseudonymStore { PseudonymStore(self) }
    package var rejections: RejectionStore { RejectionStore(self) }
    package var runs: RunStore { RunStore(self) }
    package var settings: SettingsStore { SettingsStore(self) }

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
                hint: DatabaseModes.hint(on: path), exitStatus: .writing(errno))
        }
        try FileOwner.refuseForeignFile(path, at: .loading)
    }

    /// WAL lets readers read while this run writes. With `synchronous = NORMAL`
    /// a power cut may take back the last transactions, rows and progress
    /// together, which the next run then loads again; it never damages the file.
    private static func writing(_ patience: LockPatience) -> Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        // A window of rows stays one transaction over many accesses.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .callback { patience.waits(behind: $0) }
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
