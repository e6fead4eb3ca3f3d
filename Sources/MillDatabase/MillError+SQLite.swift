internal import GRDB
internal import GRDBSQLite
package import MillSystem

extension MillError {
    /// The last failure of a connection that loads.
    package init(loading connection: OpaquePointer) {
        self.init(
            stage: .loading, sqliteCode: sqlite3_errcode(connection),
            message: String(cString: sqlite3_errmsg(connection)), path: nil)
    }

    /// A failure that GRDB reported.
    ///
    /// - Parameter stage: where it happened, unless the failure itself says.
    package init(_ error: any Error, at stage: Stage, path: String?) {
        if let error = error as? MillError {
            self = error
        } else if let error = error as? DatabaseError {
            self.init(
                stage: stage, sqliteCode: error.resultCode.rawValue, message: error.message ?? "\(error)", path: path)
        } else {
            self.init(stage: stage, path: path, what: "\(error)", exitStatus: .internalFault)
        }
    }

    package static let hintOnDamage =
        "restore the last backup and run; docs/operations.md, Recovery, says what can be saved without one"

    static let hintOnPermissions =
        "check the permissions of the database, of its -wal and -shm beside it, and of the folder"

    private init(stage: Stage, sqliteCode: Int32, message: String, path: String?) {
        let status: ExitStatus
        var code: Code?
        var hint: String?
        switch sqliteCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            status = .tryLater
            hint = "another program writes to the database; try again when it has ended"
        case SQLITE_INTERRUPT:
            (status, code) = (.tryLater, .interrupted)
            hint = "the run was asked to stop; the next one goes on"
        case SQLITE_NOTADB:
            status = .cannotCreate
            hint =
                "name a database of receiptmill's, or a file that does not exist yet; if it was one, restore the backup"
        case SQLITE_CORRUPT:
            status = .ioError
            hint = Self.hintOnDamage
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            status = .cannotCreate
            hint = Self.hintOnPermissions
        case SQLITE_FULL:
            status = .ioError
            hint = "free some disk; what was committed is kept, and the next run goes on from there"
        case SQLITE_IOERR:
            status = .ioError
            hint = "check the disk, and limits on the size of files (ulimit -f); what was committed is kept"
        default: status = .internalFault
        }
        self.init(code, stage: stage, path: path, what: "SQLite: \(message)", hint: hint, exitStatus: status)
    }
}
