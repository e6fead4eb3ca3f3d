internal import CFiles
internal import Foundation
internal import MillSystem

/// Renaming and copying of files by which no other file is ever replaced.
extension ProcessedFile {
    /// Renames a file to a name that no file has.
    ///
    /// - Throws: EEXIST where a file has the name; that file stays as it is.
    static func place(_ file: String, as target: String) throws(Errno) {
        if receiptmill_rename_new(file, target) == 0 { return }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { throw Errno() }
        try reserve(target, for: file)
    }

    /// Renames a file to a free name on file systems that can't do both in one call: an empty file, which only one
    /// process can make, reserves the name until the rename replaces the empty file.
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

    /// Writes a copy that exists already to the disk, before the original is removed.
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
