internal import CFiles
internal import Foundation
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// Renames and copies files without ever replacing another file.
extension ProcessedFile {
    /// A name in an open folder.
    struct Place {
        let folder: OpenFolder
        let name: String

        var path: String { "\(folder.path)/\(name)" }

        /// A hidden name in the same folder, used by this process only.
        func neighbour(ending: String = ".part") -> Place {
            let hidden = OutputFile.neighbour(of: path, process: getpid(), ending: ending)
            return Place(folder: folder, name: PathParts.name(of: hidden))
        }

        /// The status of the entry with this name; for a symbolic link, of the link itself. Nil if there is none.
        func status() -> stat? {
            var status = stat()
            return fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
        }

        func open(_ flags: Int32, _ mode: mode_t = 0) -> Int32 {
            openat(folder.descriptor, name, flags | O_CLOEXEC, mode)
        }

        func unlink() -> Int32 { unlinkat(folder.descriptor, name, 0) }

        func rename(to other: Place) -> Int32 {
            renameat(folder.descriptor, name, other.folder.descriptor, other.name)
        }
    }

    /// Renames a file to a name that no file has yet.
    ///
    /// - Throws: EEXIST if a file has the name; that file is left as it is.
    static func place(_ file: Place, as target: Place) throws(Errno) {
        if receiptmill_rename_new(file.folder.descriptor, file.name, target.folder.descriptor, target.name) == 0 {
            return
        }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { throw Errno() }
        try reserve(target, for: file)
    }

    /// Renames a file to a free name on file systems that can't check and rename in one call. An empty file, which only
    /// one process can create, reserves the name until the rename replaces it.
    static func reserve(_ target: Place, for file: Place) throws(Errno) {
        let made = target.open(O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard made >= 0 else { throw Errno() }
        close(made)
        guard file.rename(to: target) == 0 else {
            let error = Errno()
            _ = target.unlink()
            throw error
        }
    }

    /// Opens `copy` if it is a separate file with the same content. A link is not a copy: it may lead to the same file.
    ///
    /// - Returns: nil if the file is not a copy.
    static func openCopy(
        _ copy: Place, of path: String, _ sha256: SHA256Digest, _ stop: CancellationFlag?
    ) throws(MillError) -> Int32? {
        var (there, here) = (stat(), stat())
        let opened = copy.open(O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard opened >= 0 else { return nil }
        var isCopy = false
        defer { if !isCopy { close(opened) } }
        guard fstat(opened, &there) == 0, lstat(path, &here) == 0, there.st_mode & S_IFMT == S_IFREG,
            here.st_mode & S_IFMT == S_IFREG, there.st_size == here.st_size,
            there.st_ino != here.st_ino || there.st_dev != here.st_dev
        else { return nil }
        do throws(MillError) {
            isCopy = try InputFile(opened: dup(opened), path: copy.path, stop: stop).digest().sha256 == sha256
        } catch {
            if error.exitStatus == .tryLater { throw error }
        }
        return isCopy ? opened : nil
    }
}
