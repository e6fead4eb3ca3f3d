internal import Foundation

/// By what a database is known: its file's one name.
enum DatabaseName {
    /// Refuses a file that has several names. SQLite's log goes by the name under
    /// which a database was opened, as does the lock of a run, so that programs
    /// which open it by two names don't see each other and damage it
    /// (sqlite.org/howtocorrupt.html, "Multiple links to the same file").
    static func refuseSecond(_ path: String) throws(MillError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1 else { return }
        throw MillError(
            stage: .loading, path: path,
            what: "the database's file has \(status.st_nlink) names (hard links), and SQLite's log goes by the name: "
                + "who opens it by another one would damage it",
            hint: "remove the other names (find / -samefile \(path)), and make copies with receiptmill backup",
            exitStatus: .cannotCreate)
    }
}
