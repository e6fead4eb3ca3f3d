internal import Foundation
package import MillSystem

/// The permissions of a database, and of the files that SQLite creates beside it.
///
/// SQLite gives its files the permissions of the database, and can't remove a file that it may not write. So a database
/// that was once read-only would remain so.
package enum DatabaseModes {
    private static let endings = ["-wal", "-shm"]

    /// Makes SQLite's files beside a database writable for the owner if the database is. Failures are ignored, because
    /// SQLite reports them.
    ///
    /// - Parameter path: the database's path without symbolic links.
    package static func correct(_ path: String) {
        for file in correctable(path) { _ = fchmodat(AT_FDCWD, file.path, file.mode, AT_SYMLINK_NOFOLLOW) }
    }

    /// Throws if a run could neither write the files nor correct their permissions.
    ///
    /// - Parameter path: the database's path without symbolic links.
    package static func refuseReadOnly(_ path: String) throws(MillError) {
        let correctable = Set(correctable(path).map(\.path))
        for file in [path] + endings.map({ path + $0 }) where !correctable.contains(file) {
            guard access(file, F_OK) == 0, faccessat(AT_FDCWD, file, R_OK | W_OK, AT_EACCESS) != 0 else { continue }
            throw MillError(
                stage: .loading, path: file, what: "can't be written: \(String(cString: strerror(errno)))",
                hint: hint(on: path), exitStatus: .cannotCreate)
        }
    }

    /// Advice for a database that can't be opened or written: who owns its files, who should own them, and which of
    /// them this user may not write.
    ///
    /// - Parameter database: the database's path; nil if it is unknown.
    package static func hint(on database: String?) -> String {
        guard let database else { return "check the permissions of the database and of its folder; and ulimit -n" }
        let path = RealPath.of(database)
        let folder = PathParts.folder(of: path)
        let expected = owner(path) ?? owner(folder)
        let user = FileOwner.name(geteuid())
        var advice: [String] = []
        if let expected, expected != user, geteuid() != 0 {
            let what = owner(path) == nil ? "the folder \(folder)" : PathParts.name(of: path)
            advice.append(
                "this is run as \(user), and \(what) belongs to \(expected): run as \(expected) (sudo -u \(expected))")
        } else {
            advice.append("this is run as \(user)")
        }
        for file in [path] + (OutputFile.endingsOfSQLite + ["-lock"]).map({ path + $0 }) {
            guard let owner = owner(file) else { continue }
            let name = PathParts.name(of: file)
            if let expected, owner != expected {
                advice.append("\(name) belongs to \(owner): chown \(expected) \(file)")
            } else if faccessat(AT_FDCWD, file, R_OK | W_OK, AT_EACCESS) != 0, owner == user {
                advice.append("\(name) may not be written to: chmod u+rw \(file)")
            }
        }
        if faccessat(AT_FDCWD, folder, R_OK | W_OK | X_OK, AT_EACCESS) != 0 {
            advice.append(
                "the folder \(folder) may not be written to" + (owner(folder).map { ", it belongs to \($0)" } ?? ""))
        }
        return advice.joined(separator: "; ") + "; else check ulimit -n"
    }

    private static func owner(_ path: String) -> String? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileOwner.name(status.st_uid) : nil
    }

    private static func correctable(_ path: String) -> [(path: String, mode: mode_t)] {
        var database = stat()
        guard lstat(path, &database) == 0, database.st_mode & 0o600 == 0o600 else { return [] }
        let owner = geteuid()
        guard owner == 0 || owner == database.st_uid else { return [] }
        return endings.compactMap { ending in
            var file = stat()
            guard lstat(path + ending, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_uid == database.st_uid,
                file.st_nlink == 1, file.st_mode & 0o600 != 0o600
            else { return nil }
            return (path + ending, database.st_mode & 0o666)
        }
    }
}
