internal import CFiles
internal import Foundation
internal import MillSystem

/// Names that are given to files, and never taken from others.
extension ProcessedFile {
    /// Renames a file to what has no file yet.
    ///
    /// - Throws: EEXIST where it has one, which stays as it is.
    static func place(_ file: String, as target: String) throws(Errno) {
        if receiptmill_rename_new(file, target) == 0 { return }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { throw Errno() }
        try reserve(target, for: file)
    }

    /// The same on file systems that can't do both at once: an empty file, which only one can make, keeps the name
    /// until it is replaced.
    static func reserve(_ target: String, for file: String) throws(Errno) {
        let made = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw Errno() }
        close(made)
        guard rename(file, target) == 0 else {
            let error = Errno()
            unlink(target)
            throw error
        }
    }

    /// Has the disk hold a file that is there already, in whose place another one goes.
    static func settle(_ path: String) throws(Errno) {
        let opened = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw Errno() }
        defer { close(opened) }
        guard fsync(opened) == 0 else { throw Errno() }
        try sync(PathParts.folder(of: path))
    }

    /// Writes a folder's names to the disk.
    static func sync(_ folder: String) throws(Errno) {
        if let code = FolderSync.fault(of: folder) { throw Errno(code) }
    }
}
