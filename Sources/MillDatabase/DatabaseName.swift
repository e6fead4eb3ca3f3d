internal import Foundation
package import MillSystem

/// The name of a database's file, and the names of the files beside it.
package enum DatabaseName {
    /// The endings of the database's own file, of SQLite's files, of a run's lock, of the identity that the last run
    /// recorded, of the mark that a run leaves after a fault of the database, and of the notes on the last backup, the
    /// last check and the last failure.
    package static let endings =
        [""] + OutputFile.endingsOfSQLite
        + ["-lock", identityEnding, faultEnding, backupEnding, checkEnding, failureEnding]
    package static let identityEnding = "-identity"
    package static let faultEnding = "-fault"
    package static let backupEnding = "-backup"
    package static let checkEnding = "-check"
    package static let failureEnding = "-start"

    /// Whether a path leads, by any name, to one of a database's existing or future files. The file is not opened,
    /// because closing it would release SQLite's locks.
    package static func isTaken(_ path: String, by database: String) -> Bool {
        let database = RealPath.of(database)
        guard let file = FileStamp(path: path) else {
            let real = RealPath.of(path)
            return endings.contains { real == database + $0 }
        }
        return endings.contains { ending in
            guard let own = FileStamp(path: database + ending) else { return false }
            return own.isSameFile(as: file)
        }
    }

    /// Throws if there is no database, so that a command that needs one does not create it, or if this can't be
    /// determined because a folder may not be searched.
    ///
    /// - Parameter stage: the stage that opens the database.
    package static func refuseMissing(
        _ path: String, at stage: Stage = .loading, hint: String = "name one that receiptmill ingest wrote"
    ) throws(MillError) {
        var status = stat()
        guard stat(path, &status) != 0 else { return }
        let code = errno
        guard [ENOENT, ENOTDIR].contains(code) else {
            throw MillError(
                stage: stage, path: path,
                what: "the database can't be looked for in \(PathParts.folder(of: path)): "
                    + String(cString: strerror(code)),
                hint: DatabaseModes.hint(on: path), exitStatus: .cannotCreate)
        }
        throw MillError(
            stage: stage, path: path, what: "there is no such database", hint: hint, exitStatus: .missingInput)
    }

    /// Throws if there is no database or only an empty file, so that a run does not start a new database in place of a
    /// lost one.
    package static func refuseNewBeginning(_ path: String) throws(MillError) {
        let hint =
            "restore the last backup; for a new beginning, receiptmill init --database \(path), or create: true in "
            + "the pipeline file"
        try refuseMissing(path, hint: hint)
        guard FileStamp(path: path)?.bytes == 0 else { return }
        throw MillError(
            stage: .loading, path: path, what: "the database's file is empty", hint: hint, exitStatus: .missingInput)
    }

    /// Throws if a file has several names. SQLite's log and the run's lock are named after the name by which a database
    /// was opened. Programs that use different names would not notice each other and damage the database
    /// (sqlite.org/howtocorrupt.html, "Multiple links to the same file").
    ///
    /// - Parameter stage: the stage that opens the database.
    package static func refuseSecond(_ path: String, at stage: Stage) throws(MillError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1 else { return }
        throw MillError(
            stage: stage, path: path,
            what: "the database's file has \(status.st_nlink) names (hard links), and SQLite's log goes by the name: "
                + "who opens it by another one would damage it",
            hint: "remove the other names (find / -samefile \(path)), and make copies with receiptmill backup",
            exitStatus: .cannotCreate)
    }
}
