internal import Foundation
package import MillSystem

/// The one name of a database's file.
package enum DatabaseName {
    /// Endings of the database's files: its own, SQLite's beside it, the lock of a run, the identity that
    /// the last run has met, and the mark of a run that met a fault of it.
    package static let endings = [""] + OutputFile.endingsOfSQLite + ["-lock", identityEnding, faultEnding]
    package static let identityEnding = "-identity"
    package static let faultEnding = "-fault"

    /// Whether a path leads to one of a database's files, by whatever name, or to where
    /// one will be. It is not opened: closing it would end SQLite's locks.
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

    /// Refuses to make a database where one is to be read or changed.
    package static func refuseMissing(
        _ path: String, hint: String = "name one that receiptmill ingest wrote"
    ) throws(MillError) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        throw MillError(
            stage: .loading, path: path, what: "there is no such database", hint: hint, exitStatus: .missingInput)
    }

    /// Refuses to begin anew where no database was, or where the one that was lost all.
    package static func refuseNewBeginning(_ path: String) throws(MillError) {
        let hint =
            "restore the last backup; for a new beginning, receiptmill init --database \(path), or create: true in "
            + "the pipeline file"
        try refuseMissing(path, hint: hint)
        guard FileStamp(path: path)?.bytes == 0 else { return }
        throw MillError(
            stage: .loading, path: path, what: "the database's file is empty", hint: hint, exitStatus: .missingInput)
    }

    /// Refuses a file that has several names. SQLite's log goes by the name under
    /// which a database was opened, as does the lock of a run, so that programs
    /// which open it by two names don't see each other and damage it
    /// (sqlite.org/howtocorrupt.html, "Multiple links to the same file").
    ///
    /// - Parameter stage: the one for which it is opened.
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
