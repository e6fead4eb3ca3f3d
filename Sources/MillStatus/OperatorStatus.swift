package import DatabaseCare
internal import Foundation
internal import GRDB
package import MillConfiguration
package import MillDatabase
package import MillSystem
internal import ReceiptArchive
package import ReceiptWarehouse

/// The state of a database and of the folders of its pipeline. It consists of facts, from which ``lines`` are derived
/// by rules. Reading the facts changes nothing and delays no run.
package struct OperatorStatus: Sendable {
    package let database: String
    package let pipeline: Pipeline?
    /// When the facts were read, in milliseconds since 1970.
    package let readAt: Int64
    /// Why the database can't be read.
    package private(set) var fault: MillError?
    /// Nil if the database can't be read.
    package private(set) var standing: DatabaseStatus?
    /// The run, or another command that changes the database, that is active.
    package let holder: String?
    /// When a command that changes the database began that was killed, in milliseconds since 1970.
    let killedAt: Int64?
    /// When a run, a check or a backup found damage in the database that no later run has disproved, in milliseconds
    /// since 1970.
    let faultMarkedAt: Int64?
    package var hasFaultMark: Bool { faultMarkedAt != nil }
    /// Whether the last run had a database that no longer exists.
    let isGone: Bool
    /// Whether the database is of an older version.
    private(set) var isOlder = false
    /// How the last run failed, if it could not record the failure in the database and no later run has succeeded.
    package let failure: FailureNote?
    /// Why a run of this user could not write the database, its lock file, or their folder; nil if it could.
    package let accessFault: MillError?
    package private(set) var spools: [SpoolStatus] = []
    /// Why existing App Store report files might not be found.
    package let storeFaults: [MillError]
    /// Nil if the database can't be read.
    package private(set) var storeReports: StoreReportStatus?
    package let backup: BackupNote?
    package let check: CheckNote?
    /// Why runs of the pipeline file currently delete nothing that has expired; nil if they do, or if the file limits
    /// no age.
    package private(set) var clockDoubt: ClockDoubt?
    package private(set) var disks: [DiskStatus] = []
    package let databaseBytes: Int64
    package let logBytes: Int64

    /// - Parameters:
    ///   - database: the path of the database.
    ///   - pipeline: the pipeline file whose folders are examined; if nil, none are.
    ///   - now: the present, in milliseconds since 1970.
    package init(of database: String, _ pipeline: Pipeline?, now: Int64 = OperatorStatus.now) {
        (self.database, self.pipeline, readAt) = (database, pipeline, now)
        holder = RunLock.current(of: database)
        killedAt = RunLock.abandoned(of: database)
        faultMarkedAt = FaultMark(of: database).metAt
        isGone = IdentityFile(of: database).hasVanished
        let failure = FailureNote(of: database)
        self.failure = failure
        accessFault = Self.fault { () throws(MillError) in try Warehouse.refuseUnwritable(database) }
        backup = BackupNote(of: database)
        check = CheckNote(of: database)
        storeFaults = pipeline?.storeReports.flatMap { $0.searchFaults() } ?? []
        let real = RealPath.of(database)
        (databaseBytes, logBytes) = (FileStamp(path: real)?.bytes ?? 0, FileStamp(path: real + "-wal")?.bytes ?? 0)
        do {
            try Self.refuseMissing(database)
            let opened = try ReadOnlyDatabase(path: database, patience: Self.patience)
            try ReadOnlyDatabase.explaining(path: database) {
                try opened.queue.read { db in
                    if let older = try Self.faultOfOlder(db, path: database) {
                        isOlder = true
                        throw older
                    }
                    let identity = try String.fetchOne(db, sql: "SELECT lower(hex(database_id)) FROM identity")
                    try IdentityFile(of: database).refuseOther(identity ?? "")
                    // All facts from the database are read from the same state of it.
                    let standing = try DatabaseStatus(db, isHeld: holder != nil, failure)
                    if let pipeline, pipeline.deletesByAge {
                        clockDoubt = try ClockDoubt(db, maximumGap: pipeline.alarms.clockJumpDays)
                    }
                    let known = try KnownFiles(db, limits: pipeline?.limits ?? Limits())
                    spools = try Self.spools(pipeline, lastRun: standing.lastRun?.startedAt, known)
                    storeReports = try StoreReportStatus(db, pipeline)
                    self.standing = standing
                }
            }
        } catch {
            fault = MillError(error, at: .reporting, path: database)
            // The folders are shown even if the database can't be read.
            spools = (try? Self.spools(pipeline, lastRun: nil, nil)) ?? []
        }
        disks = DiskStatus.all(folders)
    }

    /// The present, in milliseconds since 1970.
    package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// The time to wait for a lock of another program, in seconds. It is short, because a person waits for the screen.
    private static let patience = 0.3

    private static func fault(of check: () throws(MillError) -> Void) -> MillError? {
        do throws(MillError) {
            try check()
            return nil
        } catch {
            return error
        }
    }

    private static func refuseMissing(_ database: String) throws(MillError) {
        try IdentityFile(of: database).refuseVanished()
        try DatabaseName.refuseNewBeginning(database)
    }

    private static func faultOfOlder(_ db: Database, path: String) throws -> MillError? {
        guard let version = try Schema.version(of: db, at: .reporting, path: path), version < Schema.version else {
            return nil
        }
        return MillError(
            stage: .reporting, path: path,
            what: "the database is of an older version of receiptmill (schema \(version), this is \(Schema.version))",
            exitStatus: .cannotCreate)
    }

    private static func spools(_ pipeline: Pipeline?, lastRun: Int64?, _ known: KnownFiles?) throws -> [SpoolStatus] {
        guard let pipeline else { return [] }
        let moved = Set(pipeline.archives.flatMap(\.realFoldersOfMoved))
        let letters = pipeline.deadLetters.map { RealPath.of($0.file) }
        return try pipeline.archives.map {
            try SpoolStatus($0, outside: moved, letters: letters, lastRun: lastRun, known: known)
        }
    }

    /// The folders that runs and backups write to or read from, with the number of bytes that the next run will write
    /// there. A load writes about as many bytes as the archives have in gzip.
    private var folders: [(folder: String, bytes: Int64)] {
        var folders = [(PathParts.folder(of: RealPath.of(database)), waiting.bytes)]
        for source in pipeline?.archives ?? [] {
            folders += [PathParts.folder(of: source.path), source.destination, source.quarantine].compactMap(\.self)
                .map { ($0, 0) }
        }
        if let backup { folders.append((PathParts.folder(of: backup.path), 0)) }
        return folders
    }

    // MARK: Sums over all entries of `archives`

    package var waiting: FileCount { sum(\.waiting) }
    package var missed: FileCount { sum(\.missed) }
    package var damaged: FileCount { sum(\.damaged) }
    package var unknownMoved: FileCount { sum(\.unknownMoved) }

    /// Entries may share a folder; its files are counted once.
    private func sum(_ path: KeyPath<SpoolStatus, FileCount>) -> FileCount {
        var folders: Set<String> = []
        return spools.reduce(into: FileCount()) { all, spool in
            let folder: String?
            switch path {
            case \.damaged: folder = spool.damagedFolder
            case \.unknownMoved: folder = spool.movedFolder.map { "\($0)/\(PathParts.name(of: spool.pattern))" }
            default: folder = nil
            }
            if let folder, !folders.insert(folder).inserted { return }
            all.add(spool[keyPath: path])
        }
    }
}
