package import Foundation

/// Removes files that killed processes have left beside an output: temporary files that were never renamed to the
/// output's name.
extension OutputFile {
    package static func neighbour(of target: String, process: pid_t, ending: String = ".part") -> String {
        "\(PathParts.folder(of: target))/.\(PathParts.name(of: target)).\(process)\(ending)"
    }

    /// The output whose temporary file (neighbour) has this name, and the process that created it; nil if the name is
    /// not a neighbour's.
    package static func parts(ofNeighbour name: String, ending: String = ".part") -> (name: String, process: pid_t)? {
        guard name.hasPrefix("."), name.hasSuffix(ending) else { return nil }
        let stem = name.dropFirst().dropLast(ending.count)
        guard let dot = stem.lastIndex(of: "."), let process = pid_t(stem[dot...].dropFirst()), process > 0,
            stem[dot...] == ".\(process)"
        else { return nil }
        return (String(stem[..<dot]), process)
    }

    /// Removes the temporary files (neighbours) of an output that this user's ended processes have left. One with this
    /// process's own id was left by an ended process, because in a container every run may have the same id.
    package static func removeLeftovers(of target: String) {
        guard let folder = try? OpenFolder(path: PathParts.folder(of: target)) else { return }
        let name = PathParts.name(of: target)
        removeLeftovers(in: folder) { $0 == name }
    }

    /// Removes the temporary files (neighbours) of all outputs in a folder that `isMeant` accepts.
    package static func removeLeftovers(
        in folder: OpenFolder, where isMeant: (_ name: String) -> Bool = { _ in true }
    ) {
        for hidden in folder.names() ?? [] {
            guard let (name, process) = parts(ofNeighbour: hidden), isMeant(name), isGone(process) else { continue }
            removeUnlessHeld(hidden, in: folder.descriptor)
        }
    }

    package static func isGone(_ process: pid_t) -> Bool {
        process == getpid() || kill(process, 0) != 0 && errno == ESRCH
    }

    /// Removes a file unless a process holds a lock on it. A process in another container can't be seen from here, but
    /// holds a lock on each file that it writes.
    private static func removeUnlessHeld(_ name: String, in folder: Int32) {
        let opened = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1, flock(opened, LOCK_EX | LOCK_NB) == 0
        else { return }
        for ending in [""] + endingsOfSQLite { unlinkat(folder, name + ending, 0) }
    }

    /// The endings of the files that SQLite creates beside a database that is being written.
    package static let endingsOfSQLite = ["-wal", "-shm", "-journal"]
}
