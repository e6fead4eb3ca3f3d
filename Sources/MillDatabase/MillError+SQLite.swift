internal import GRDB
internal import GRDBSQLite
package import MillSystem

extension MillError {
    /// The last error of the loader's connection.
    package init(loading connection: OpaquePointer) {
        self.init(
            stage: .loading, sqliteCode: sqlite3_errcode(connection),
            message: String(cString: sqlite3_errmsg(connection)),
            path: sqlite3_db_filename(connection, "main").map { String(cString: $0) })
    }

    /// An error that GRDB has thrown.
    ///
    /// - Parameter stage: the stage for an error that states none.
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
        "in this order: restore the last backup in its place, and remove the -wal and -shm beside it; load what came "
        + "after the backup, also from where runs move archives (receiptmill run --reload-moved); docs/operations.md, "
        + "Recovery, says what can be saved without a backup"

    /// The error for damage that this program has found although SQLite has not.
    package static func damage(of path: String?, _ what: String) -> MillError {
        var error = MillError(
            .databaseDamaged, stage: .loading, path: path, what: what, hint: hintOnDamage, exitStatus: .ioError)
        error.databaseFault = .doubtful
        return error
    }

    package static let hintOnLock =
        "find the program that writes to it (fuser -v FILE), and run again when it has ended; --wait waits longer"

    private init(stage: Stage, sqliteCode: Int32, message: String, path: String?) {
        // The last byte of an extended code is its primary code (sqlite.org/rescode.html).
        let sqliteCode = sqliteCode & 0xff
        let (status, hint): (ExitStatus, String?) =
            switch sqliteCode {
            case SQLITE_BUSY, SQLITE_LOCKED: (.ioError, Self.hintOnLock)
            case SQLITE_INTERRUPT: (.tryLater, "the run was asked to stop; the next one goes on")
            case SQLITE_NOTADB:
                (
                    .cannotCreate,
                    "name a database of receiptmill's, or a file that does not exist yet; if it was one, restore the "
                        + "backup"
                )
            case SQLITE_CORRUPT: (.ioError, Self.hintOnDamage)
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                (.cannotCreate, DatabaseModes.hint(on: path))
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
            Self.code(ofSQLite: sqliteCode), stage: stage, path: path, what: "SQLite: \(message)", hint: hint,
            exitStatus: status)
        databaseFault = Self.databaseFault(ofSQLite: sqliteCode)
    }

    /// The error's code for programs; nil if the exit status is equally precise.
    ///
    /// - Parameter code: a primary result code of SQLite.
    static func code(ofSQLite code: Int32) -> Code? {
        switch code {
        case SQLITE_INTERRUPT: .interrupted
        case SQLITE_BUSY, SQLITE_LOCKED: .databaseLocked
        case SQLITE_CORRUPT: .databaseDamaged
        default: nil
        }
    }

    /// The kind of database fault that a failure indicates; nil for a statement that is wrong, too large, or
    /// interrupted.
    ///
    /// - Parameter code: a primary result code of SQLite.
    static func databaseFault(ofSQLite code: Int32) -> DatabaseFault? {
        switch code {
        case SQLITE_INTERRUPT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_TOOBIG: nil
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_FORMAT, SQLITE_CONSTRAINT: .doubtful
        default: .refusing
        }
    }
}
