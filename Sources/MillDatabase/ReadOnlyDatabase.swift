internal import Foundation
package import GRDB
package import MillSystem

/// A database that is opened for reports. Nothing can be written through the connection, and the loader and the reports
/// don't wait for each other.
package struct ReadOnlyDatabase {
    /// The maximum time to wait for a lock, in seconds. With WAL, a reader waits only while another process recovers or
    /// closes the database.
    package static let busyTimeoutSeconds: Double = 10

    /// The maximum number of a database's bytes that are read through a memory mapping; the rest is copied.
    package static let mappedBytes = 64 << 30
    /// The limit for a process that runs many reports. Mapped pages count as memory of the process, so without a limit
    /// its memory would grow with the database.
    package static let boundedMappedBytes = 32 << 20

    /// Memory for pages and sorts, in KiB. Sorting in runs that fit into a processor's cache, and merging them, takes
    /// two thirds of the time of sorting one run of 128 MiB.
    static let cacheKiB = 8 << 10

    package let queue: DatabaseQueue

    /// Opens the database. A transaction may span several accesses.
    ///
    /// - Parameters:
    ///   - patience: seconds to wait for a lock.
    ///   - mapping: the maximum number of bytes that are read through a memory mapping.
    /// - Throws: ``MillError`` if the file is missing or not a ReceiptMill database.
    package init(path: String, patience: Double = busyTimeoutSeconds, mapping: Int = mappedBytes) throws {
        try DatabaseName.refuseMissing(path, at: .reporting, hint: "receiptmill ingest creates it from archives")
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else { throw Self.notOurs(path) }
        try DatabaseName.refuseSecond(path, at: .reporting)

        var configuration = Self.configuration(threads: 1, mapping: mapping)
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(patience)
        queue = try Self.explaining(path: path) {
            let queue = try DatabaseQueue(file: path, configuration: configuration)
            let isOurs = try queue.read { connection in
                try Schema.version(of: connection, at: .reporting, path: path) != nil
                    && connection.has("receipts") && connection.has("purchases")
            }
            guard isOurs else { throw Self.notOurs(path) }
            return queue
        }
    }

    /// The configuration for queries of reports.
    ///
    /// - Parameters:
    ///   - threads: the number of additional threads that may sort.
    ///   - mapping: the maximum number of bytes that are read through a memory mapping.
    static func configuration(threads: Int, mapping: Int = mappedBytes) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { connection in
            // Reports read most of the database. So they map the system's cache instead of copying it, and sort on a
            // second core if one is free.
            try connection.execute(sql: "PRAGMA mmap_size = \(mapping)")
            try connection.execute(sql: "PRAGMA threads = \(threads)")
            try connection.execute(sql: "PRAGMA cache_size = -\(cacheKiB)")
        }
        return configuration
    }

    /// Does work on the database's connections, and converts SQLite's errors into ones that the user of a report
    /// understands.
    package static func explaining<Result>(path: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let error as DatabaseError {
            throw explained(error, path: path)
        }
    }

    /// Converts an error of SQLite into one that the user of a report understands.
    package static func explained(_ error: DatabaseError, path: String) -> MillError {
        let message = error.message ?? error.resultCode.description
        let (status, what, hint): (ExitStatus, String, String?) =
            switch error.resultCode {
            case .SQLITE_CORRUPT:
                (
                    .badData, "the database is damaged: \(message)", MillError.hintOnDamage
                )
            case .SQLITE_NOTADB, .SQLITE_FORMAT:
                (
                    .badData, "this is not a database of ReceiptMill's",
                    "give the file that receiptmill ingest --database wrote"
                )
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                (.ioError, "another program holds the database: \(message)", MillError.hintOnLock)
            case .SQLITE_INTERRUPT:
                (.tryLater, "the query was interrupted", "the run was asked to stop; the next one goes on")
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY:
                (
                    .missingInput, "the database can't be opened: \(message)", DatabaseModes.hint(on: path)
                )
            case .SQLITE_IOERR, .SQLITE_FULL:
                (
                    .ioError, "reading the database failed: \(message)",
                    "check the disk, and the space left for temporary files"
                )
            // An older database lacks tables and columns that this version reads: "no such table", "no such column".
            case .SQLITE_ERROR where message.utf8.starts(with: "no such ".utf8):
                (.cannotCreate, "SQLite failed: \(message)", hintOnOlderVersion)
            default: (.internalFault, "SQLite failed: \(message)", nil)
            }
        let code = error.resultCode.rawValue
        var explained = MillError(
            MillError.code(ofSQLite: code), stage: .reporting, path: path, what: what, hint: hint, exitStatus: status)
        explained.databaseFault = MillError.databaseFault(ofSQLite: code)
        return explained
    }

    /// The advice for a database that lacks tables or columns which this version reads.
    package static let hintOnOlderVersion =
        "was the database written by an older version? receiptmill migrate brings it up to date"

    private static func notOurs(_ path: String) -> MillError {
        explained(DatabaseError(resultCode: .SQLITE_NOTADB), path: path)
    }
}
