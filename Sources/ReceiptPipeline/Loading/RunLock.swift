internal import Foundation

/// Keeps a second run from loading into the same database.
///
/// The lock is on a file beside the database: a lock on the database itself
/// would be lost whenever SQLite closes it (POSIX locks go with any descriptor
/// of the file). The kernel releases it when the process ends, however it ends.
final class RunLock {
    private let descriptor: Int32
    private let path: String

    /// - Parameter wait: waits for another run's end, until it is asked to stop;
    ///   nil fails at once.
    init(database: String, waiting wait: StopRequest? = nil) throws(MillError) {
        path = database + "-lock"
        while true {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard opened >= 0 else { throw Self.failure(database, lock: path, errno) }
            Self.give(opened, to: database)
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                if let wait, !wait.isMade {
                    usleep(Self.pollMicroseconds)
                    continue
                }
                throw MillError(
                    stage: .loading, path: database, what: "another run is loading into this database",
                    hint: "try again when it has ended", exitStatus: .tryLater)
            }
            if Self.isSameFile(opened, path) {
                descriptor = opened
                return
            }
            // The run before removed this file after it was opened here.
            close(opened)
        }
    }

    /// What root makes belongs to the database's owner, as what SQLite makes
    /// beside it does: a lock that a killed run of root's left behind keeps nobody
    /// out.
    private static func give(_ lock: Int32, to database: String) {
        var owner = stat()
        guard geteuid() == 0, stat(database, &owner) == 0 else { return }
        _ = fchown(lock, owner.st_uid, owner.st_gid)
    }

    private static func failure(_ database: String, lock: String, _ code: Int32) -> MillError {
        let what = String(cString: strerror(code))
        var status = stat()
        guard code == EACCES, stat(lock, &status) == 0 else {
            return MillError(
                stage: .loading, path: database, what: "its lock \(lock) can't be made: \(what)",
                hint: "check the folder and its permissions", exitStatus: .cannotCreate)
        }
        let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "user \(status.st_uid)"
        return MillError(
            stage: .loading, path: database, what: "its lock \(lock) can't be opened, it belongs to \(owner): \(what)",
            hint: "run as the owner of the database; if no run of \(owner)'s is at work, rm \(lock)",
            exitStatus: .cannotCreate)
    }

    /// A blocking flock(2) could not be told to stop.
    private static let pollMicroseconds: UInt32 = 100_000

    deinit {
        unlink(path)
        close(descriptor)
    }

    private static func isSameFile(_ descriptor: Int32, _ path: String) -> Bool {
        var held = stat()
        var named = stat()
        return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }
}
