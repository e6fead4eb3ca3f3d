internal import Foundation
package import GRDB
package import MillDatabase
package import MillSystem

/// The connection through which a run changes a database; a lock keeps out every other run.
///
/// The tables are read and written by stores, one for each subject.
package final class Warehouse {
    package let queue: DatabaseQueue
    package let path: String
    private let lock: RunLock?
    /// Whether this connection created the file, under the lock.
    private let isMade: Bool
    /// How long this connection waits for locks of other programs.
    let patience: LockPatience

    /// The size of a page in bytes. With SQLite's default of 4096, twice as many bytes would be written, to the log and
    /// then to the file; larger pages would write more if few rows are added to many.
    private static let pageSize = 8192
    /// Memory for pages, in KiB. A window uses each tree in the order of its keys and needs few pages twice, so memory
    /// is better spent on larger windows.
    private static let cacheKibibytes = 8 << 10

    /// Opens or creates the database, updates its views to this version, and keeps out other runs until the database is
    /// closed.
    ///
    /// - Parameters:
    ///   - wait: how to wait while another run holds the database; if nil, opening fails at once.
    ///   - migration: how to migrate older tables; if nil, they are refused.
    package init(
        path: String, waiting wait: RunLock.Wait? = nil, migration: SchemaMigration? = nil
    ) throws(MillError) {
        self.path = path
        try Self.refuseUnusable(path)
        lock = try RunLock(database: path, waiting: wait)
        isMade = try Self.makePrivateFile(RealPath.of(path))
        DatabaseModes.correct(RealPath.of(path))
        let patience = LockPatience(stop: wait?.stop ?? CancellationFlag())
        self.patience = patience
        // One attempt lasts a second, so that `waiting` can report the wait between two attempts.
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

    /// Limits later waits for locks to the usual time. Called after another program has held a lock for the whole
    /// waiting time.
    package func waitAsUsual() { patience.limit = LockPatience.usual }

    /// Repeats work while another program locks the database, and reports the wait once a minute.
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

    /// Opens the database to examine what a run would do: nothing is written, and no run is kept out. If the database
    /// does not exist, an empty one in memory is used.
    package init(examining path: String) throws(MillError) {
        self.path = path
        (lock, isMade) = (nil, false)
        patience = LockPatience()
        try Self.refuseUnwritable(path)
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

    /// Throws if a run of this user could not write the database, its lock file, or their folder. Writes nothing.
    package static func refuseUnwritable(_ path: String) throws(MillError) {
        try refuseUnusable(path)
        try RunLock.refuseUnusable(of: path)
        try DatabaseModes.refuseReadOnly(RealPath.of(path))
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

    /// Does work in one transaction, which is rolled back if the work throws.
    package func transaction<Result>(_ work: (Database) throws -> Result) throws(MillError) -> Result {
        try access { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            do {
                let result = try work(db)
                try db.execute(sql: "COMMIT")
                return result
            } catch {
                // After some errors, such as a full disk, SQLite has already rolled back.
                if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
                throw error
            }
        }
    }

    /// All rows of a statement's result.
    package func rows(_ sql: String, _ arguments: StatementArguments = []) throws(MillError) -> [Row] {
        try access { db in try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// The first row of a statement's result; nil if the result is empty.
    package func row(_ sql: String, _ arguments: StatementArguments = []) throws(MillError) -> Row? {
        try access { db in try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// The first column of the first row of a statement's result; nil if the result is empty.
    package func value<Value: DatabaseValueConvertible>(
        _ sql: String, _ arguments: StatementArguments = []
    ) throws(MillError) -> Value? {
        try access { db in try Value.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// The first column of all rows of a statement's result.
    package func values<Value: DatabaseValueConvertible>(
        _ sql: String, _ arguments: StatementArguments = []
    ) throws(MillError) -> [Value] {
        try access { db in try Value.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) }
    }

    /// The size of SQLite's log in bytes above which a reader is assumed to keep it from being emptied: runs warn about
    /// it, and `status` reports that a person has to act.
    package static let notableLogBytes: Int64 = 256 << 20

    /// Moves SQLite's log into the database and empties the log, unless a reader still needs it.
    ///
    /// - Returns: the size of the log afterwards, in bytes.
    @discardableResult package func emptyLog() throws(MillError) -> Int64 {
        // Readers may need long, so waiting for them is limited to the usual time.
        let limit = patience.limit
        patience.limit = min(limit, LockPatience.usual)
        defer { patience.limit = limit }
        try access { db in
            // A passive checkpoint comes first. TRUNCATE waits for readers, which is useful only if they need nothing
            // more from the log.
            let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
            if let row, row[1] as Int == row[2] { try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        return FileStamp(path: RealPath.of(path) + "-wal")?.bytes ?? 0
    }

    /// The faults of the file: damaged pages, and the tables and indices to which the pages belong.
    package func damage() throws(MillError) -> [String] { try access { try DatabaseDamage($0)?.faults ?? [] } }

    /// The identity and progress of the database.
    package func stamp() throws(MillError) -> DatabaseStamp { try access(DatabaseStamp.init) }

    // MARK: Stores

    package var archives: ArchiveStore { ArchiveStore(self) }
    package var documents: DocumentStore { DocumentStore(self) }
    package var models: ModelStore { ModelStore(self) }
    package var pseudonyms: PseudonymStore { PseudonymStore(self) }
    package var rejections: RejectionStore { RejectionStore(self) }
    package var runs: RunStore { RunStore(self) }
    package var settings: SettingsStore { SettingsStore(self) }

    /// Creates the database file with permissions for the owner only, because the rows state who bought what. SQLite
    /// gives the same permissions to its files beside the database.
    private static func makePrivateFile(_ path: String) throws(MillError) -> Bool {
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 {
            FileOwner.give(made, as: PathParts.folder(of: path))
            close(made)
            return true
        }
        guard errno == EEXIST else {
            throw MillError(
                stage: .loading, path: path, what: "the database can't be made: \(String(cString: strerror(errno)))",
                hint: DatabaseModes.hint(on: path), exitStatus: .writing(errno))
        }
        try FileOwner.refuseForeignFile(path, at: .loading)
        return false
    }

    /// Removes the database if this connection created it and no archive is in it, so that a mistyped path leaves
    /// nothing behind. The lock was taken before the file was created, so no other run can have written to it.
    ///
    /// - Returns: whether the database was removed.
    package func removeIfMadeForNothing() -> Bool {
        guard isMade else { return false }
        let isEmpty = try? access { db in
            // A fault may have left a transaction open.
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            return try Row.fetchOne(db, sql: "SELECT 1 FROM archive LIMIT 1") == nil
        }
        guard isEmpty == true else { return false }
        for ending in [""] + OutputFile.endingsOfSQLite { unlink(RealPath.of(path) + ending) }
        return true
    }

    /// The configuration of the writing connection. WAL lets readers read while this run writes. With
    /// `synchronous = NORMAL` a power cut may roll back the last transactions, rows and progress together, and the next
    /// run loads them again; the file is never damaged.
    private static func writing(_ patience: LockPatience) -> Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        // The transaction of a window stays open over many accesses.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .callback { patience.waits(behind: $0) }
        // References are identifiers that the loader has just looked up or assigned; checking each of them would take a
        // tenth of the whole load.
        configuration.foreignKeysEnabled = false
        configuration.label = "receiptmill-loading"
        configuration.prepareDatabase { db in
            // The page size takes effect only while the file is empty.
            try db.execute(sql: "PRAGMA page_size = \(pageSize)")
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
        }
        return configuration
    }
}
