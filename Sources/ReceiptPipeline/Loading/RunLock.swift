internal import Foundation

/// Keeps a second run from loading into the same database.
///
/// The lock is on a file beside the database: a lock on the database itself
/// would be lost whenever SQLite closes it (POSIX locks go with any descriptor
/// of the file). The kernel releases it when the process ends, however it ends.
final class RunLock {
    private let descriptor: Int32

    init(database path: String) throws(MillError) {
        let lockPath = path + "-lock"
        descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw MillError(
                stage: .loading, path: lockPath, what: "can't be made: \(String(cString: strerror(errno)))",
                hint: "check the folder and its permissions", exitStatus: .cannotCreate)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw MillError(
                stage: .loading, path: path, what: "another run is loading into this database",
                hint: "try again when it has ended", exitStatus: .tryLater)
        }
    }

    deinit { close(descriptor) }
}
