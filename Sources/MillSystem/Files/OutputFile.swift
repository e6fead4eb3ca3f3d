internal import Foundation

/// Writes a file that is either complete or absent: the text is written to a hidden neighbour, which is renamed to the
/// file's name once it is complete.
///
/// A device or a named pipe is written directly.
package enum OutputFile {
    /// The group may read reports, too, not only the database's owner.
    package static let reportMode: UInt32 = 0o640

    /// - Parameters:
    ///   - mode: the file's mode before the umask, whatever mode the replaced file had.
    ///   - body: writes the text by calling `sink`.
    /// - Throws: ``MillError`` if the file can't be created or written, and any error of `body`. In both cases the
    ///   former file is unchanged.
    package static func write(
        to path: String, mode: UInt32 = reportMode, _ body: (_ sink: (String) throws -> Void) throws -> Void
    ) throws {
        try write(to: path, mode: mode) { descriptor in
            try body { try TextOutput.write($0, to: descriptor, named: path) }
        }
    }

    /// Writes a file like ``write(to:mode:_:)``, with a body that writes to the descriptor itself.
    package static func write(to path: String, mode: UInt32, _ body: (_ descriptor: Int32) throws -> Void) throws {
        try FileOwner.refuseForeignLinks(path, at: .reporting)
        try refuseUnwritable(path)
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var status = stat()
        let exists = stat(target, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            try open(target, flags: O_WRONLY, mode, as: path, body)
            return
        }
        removeLeftovers(of: target)
        let temporary = neighbour(of: target, process: getpid())
        try open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode, as: path) { descriptor in
            FileOwner.give(descriptor, as: target)
            // The neighbour is removed only if this call created it, because another process's neighbour may have the
            // same name.
            do { try body(descriptor) } catch {
                unlink(temporary)
                throw error
            }
        }
        guard rename(temporary, target) == 0 else {
            let failure = failure(path)
            unlink(temporary)
            throw failure
        }
    }

    /// Refuses an output that can't be created, before anything is written.
    package static func refuseUnwritable(_ path: String) throws(MillError) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var status = stat()
        if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            if status.st_mode & S_IFMT == S_IFDIR { throw failure(path, EISDIR) }
            guard faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) == 0 else { throw failure(path) }
            return
        }
        // The neighbour's name is longer than the file's and may be too long.
        for name in [target, neighbour(of: target, process: maximumProcess)] {
            let (file, folder) = (PathParts.name(of: name), PathParts.folder(of: target))
            if let fault = FolderAccess.fault(changing: file, in: folder) { throw failure(path, fault) }
        }
    }

    /// The highest process id on Linux (proc(5), pid_max), which gives the longest name of a neighbour.
    private static let maximumProcess: pid_t = 1 << 22

    private static func open(
        _ file: String, flags: Int32, _ mode: UInt32, as path: String, _ body: (Int32) throws -> Void
    ) throws {
        let descriptor = Foundation.open(file, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(path) }
        // The lock shows a later run that a living process is still writing the file.
        if flags & O_EXCL != 0 { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
        var isOpen = true
        defer { if isOpen { close(descriptor) } }
        try body(descriptor)
        isOpen = false
        // Some file systems report a full disk only here.
        guard close(descriptor) == 0 else {
            let failure = failure(path)
            if flags & O_EXCL != 0 { unlink(file) }
            throw failure
        }
    }

    private static func failure(_ path: String, _ code: Int32 = errno) -> MillError {
        let status = ExitStatus.writing(code)
        return MillError(
            stage: .reporting, path: path, what: "the file can't be made: \(String(cString: strerror(code)))",
            hint: status == .ioError
                ? "check the disk and the space left on it" : "check that the folder exists and may be written to",
            exitStatus: status)
    }
}
