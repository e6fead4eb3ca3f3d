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

    package static let hintOnPermissions =
        "check the permissions of the database, of its -wal and -shm beside it, and of the folder; and ulimit -n"

    private init(stage: Stage, sqliteCode: Int32, message: String, path: String?) {
        let (status, hint): (ExitStatus, String?) =
            switch sqliteCode {
            case SQLITE_BUSY, SQLITE_LOCKED:
                (.tryLater, "another program writes to the database; try again when it has ended")
            case SQLITE_INTERRUPT: (.tryLater, "the run was asked to stop; the next one goes on")
            case SQLITE_NOTADB:
                (
                    .cannotCreate,
                    "name a database of receiptmill's, or a file that does not exist yet; if it was one, restore the "
                        + "backup"
                )
            case SQLITE_CORRUPT: (.ioError, Self.hintOnDamage)
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: (.cannotCreate, Self.hintOnPermissions)
            case SQLITE_FULL:
                (
                    .ioError,
                    "free some disk, beside the database or in \(TemporaryFolder.ofSQLite), where it sorts; what was committed "
                        + "is kept, and the next run goes on from there"
                )
            case SQLITE_IOERR:
                (
                    .ioError,
                    "check the disk, the folder for temporary files \(TemporaryFolder.ofSQLite), and limits on the size of files "
                        + "(ulimit -f); what was committed is kept"
                )
            default: (.internalFault, nil)
            }
        self.init(
            sqliteCode == SQLITE_INTERRUPT ? .interrupted : nil, stage: stage, path: path, what: "SQLite: \(message)",
            hint: hint, exitStatus: status)
    }
}
