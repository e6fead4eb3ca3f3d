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
            guard opened >= 0 else {
                throw MillError(
                    stage: .loading, path: database,
                    what: "its lock \(path) can't be made: \(String(cString: strerror(errno)))",
                    hint: "check the folder and its permissions", exitStatus: .cannotCreate)
            }
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
