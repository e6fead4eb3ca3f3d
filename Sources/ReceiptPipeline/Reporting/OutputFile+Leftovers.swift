internal import Foundation

/// What processes that were killed have left beside an output: neighbours that
/// never took its name.
extension OutputFile {
    static func neighbour(of target: String, process: pid_t) -> String {
        "\(folder(of: target))/.\((target as NSString).lastPathComponent).\(process).part"
    }

    static func folder(of target: String) -> String { (target as NSString).deletingLastPathComponent }

    /// Removes those of this user's processes that are gone. One of this process's
    /// own number is a former one's: in a container each night may have the same.
    static func removeLeftovers(of target: String) {
        let (prefix, suffix) = (".\((target as NSString).lastPathComponent).", ".part")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder(of: target))) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let number = name.dropFirst(prefix.count).dropLast(suffix.count)
            guard let process = pid_t(number), process > 0, "\(process)" == number, isGone(process) else { continue }
            removeUnlessHeld(neighbour(of: target, process: process))
        }
    }

    private static func isGone(_ process: pid_t) -> Bool {
        process == getpid() || kill(process, 0) != 0 && errno == ESRCH
    }

    /// A process that can't be seen from here, in another container, holds a lock
    /// on what it writes.
    private static func removeUnlessHeld(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1
        else { return }
        let opened = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return }
        defer { close(opened) }
        if flock(opened, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }
}
