internal import Foundation
package import GRDB
package import MillSystem

/// A database opened for reports: nothing can be written through it, and a
/// loader at work beside it is neither waited for nor held up.
package struct ReadOnlyDatabase {
    /// How long a lock is waited for. In WAL a reader waits only while another
    /// process recovers or closes the database.
    package static let busyTimeoutSeconds: Double = 10

    /// Of a database, as much as is read through a mapping; the rest is copied.
    static let mappedBytes = 64 << 30

    /// Memory for pages and sorts, in KiB: runs that a processor's cache holds are
    /// sorted and merged in two thirds of the time that one run of 128 MiB takes.
    static let cacheKiB = 8 << 10

    package let queue: DatabaseQueue

    /// - Parameter isTwin: whether it is one of two that work at the same time: a
    ///   transaction may last from one access to the next, and no core is free for
    ///   sorts.
    /// - Throws: ``MillError`` if the file is missing or not a database of ours.
    package init(path: String, isTwin: Bool = false) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw MillError(
                stage: .reporting, path: path, what: "there is no such database",
                hint: "receiptmill ingest makes it from archives", exitStatus: .missingInput)
        }
        guard !isFolder.boolValue else { throw Self.notOurs(path) }
        try DatabaseName.refuseSecond(path)

        var configuration = Configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = isTwin
        configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        configuration.prepareDatabase { connection in
            // Reports read far and wide: from the system's cache without copies,
            // and sort on a second core where it is free.
            try connection.execute(sql: "PRAGMA mmap_size = \(Self.mappedBytes)")
            try connection.execute(sql: "PRAGMA threads = \(isTwin ? 0 : 1)")
            try connection.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB)")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let isOurs = try queue.read { connection in
                try Schema.refuseOther(connection, path: path)
                return try connection.viewExists("receipts") && connection.viewExists("purchases")
            }
            guard isOurs else { throw Self.notOurs(path) }
        } catch let error as DatabaseError {
            throw Self.explained(error, path: path)
        }
    }

    /// What a failure of SQLite's means for whoever runs a report.
    package static func explained(_ error: DatabaseError, path: String) -> MillError {
        let what = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FORMAT:
            return error.resultCode == .SQLITE_CORRUPT
                ? MillError(
                    stage: .reporting, path: path, what: "the database is damaged: \(what)",
                    hint: "restore it, or ingest the archives into a new one", exitStatus: .badData)
                : notOurs(path)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return MillError(
                stage: .reporting, path: path, what: "another process holds the database",
                hint: "try again when it has ended", exitStatus: .tryLater)
        case .SQLITE_INTERRUPT:
            return MillError(
                .interrupted, stage: .reporting, path: path, what: "the query was interrupted",
                hint: "the run was asked to stop; the next one goes on", exitStatus: .tryLater)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY:
            return MillError(
                stage: .reporting, path: path, what: "the database can't be opened: \(what)",
                hint: "check the permissions of the file and of its folder", exitStatus: .missingInput)
        case .SQLITE_IOERR, .SQLITE_FULL:
            return MillError(
                stage: .reporting, path: path, what: "reading the database failed: \(what)",
                hint: "check the disk, and the space left for temporary files", exitStatus: .ioError)
        default:
            return MillError(
                stage: .reporting, path: path, what: "SQLite failed: \(what)", hint: hintOnMissing(what),
                exitStatus: .internalFault)
        }
    }

    /// What to do where the database lacks what a report of this version reads.
    package static func hintOnMissing(_ what: String) -> String? {
        guard what.hasPrefix("no such ") else { return nil }
        return "was the database written by an older version? the next receiptmill ingest brings its views up to date"
    }

    private static func notOurs(_ path: String) -> MillError {
        MillError(
            stage: .reporting, path: path, what: "this is not a database of ReceiptMill's",
            hint: "give the file that receiptmill ingest --database wrote", exitStatus: .badData)
    }
}
