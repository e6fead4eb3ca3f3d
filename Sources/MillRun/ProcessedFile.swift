internal import Foundation
internal import MillConfiguration
internal import MillSystem

/// An error of the operating system.
struct Errno: Error {
    let code: Int32

    init(_ code: Int32 = errno) { self.code = code }

    var text: String { String(cString: strerror(code)) }
}

/// The file of an archive whose every line is on the disk, as it was read.
///
/// The file may be replaced by another delivery at any moment. So the file is renamed first, to a hidden name in its
/// folder, and removed or moved from there if it is still the file that was read; another file gets its name back.
struct ProcessedFile {
    let path: String
    let stamp: FileStamp

    /// - Returns: false where another file has its name now, which stays.
    func remove() throws(Errno) -> Bool {
        try take { (aside, _) throws(Errno) in
            guard unlink(aside) == 0 else { throw Errno() }
            return true
        }
    }

    /// Moves the file, also to another file system: a copy gets the name there only when all of it is on the disk, and
    /// only then the file is removed. A symbolic link is moved itself, and made to lead where it led before.
    ///
    /// - Returns: false where another file has its name now, which stays.
    /// - Throws: EEXIST where a file has the name there, which stays.
    func move(to target: String) throws(Errno) -> Bool {
        try take { (aside, opened) throws(Errno) in
            var status = stat()
            // Before a copy is made; the name itself decides when it is given.
            if lstat(target, &status) == 0 { throw Errno(EEXIST) }
            guard lstat(aside, &status) == 0 else { throw Errno() }
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            if !isLink {
                do throws(Errno) {
                    try Self.place(aside, as: target)
                    return true
                } catch {
                    guard error.code == EXDEV else { throw error }
                }
            }
            let copy = OutputFile.neighbour(of: target, process: getpid())
            do throws(Errno) {
                if isLink {
                    guard symlink(RealPath.of(aside), copy) == 0 else { throw Errno() }
                } else {
                    guard try Self.copy(opened, of: stamp, to: copy) else {
                        unlink(copy)
                        return false
                    }
                }
                try Self.place(copy, as: target)
            } catch {
                unlink(copy)
                throw error
            }
            try Self.sync(PathParts.folder(of: target))
            guard unlink(aside) == 0 else { throw Errno() }
            return true
        }
    }

    // MARK: Taking aside

    private static let ending = ".taken"

    /// - Parameter finish: takes the hidden name and the file, open for reading unless
    ///   that is refused; false puts it back.
    private func take(
        _ finish: (_ aside: String, _ opened: Int32) throws(Errno) -> Bool
    ) throws(Errno) -> Bool {
        // The lock says that a run is at work on it.
        let opened = Self.lock(path).opened
        defer { if opened >= 0 { close(opened) } }
        let aside = try hide()
        do throws(Errno) {
            if FileStamp(path: aside) == stamp, try finish(aside, opened) { return true }
        } catch {
            _ = Self.putBack(aside, as: path)
            throw error
        }
        _ = Self.putBack(aside, as: path)
        return false
    }

    /// - Returns: the path itself where no hidden name is to be had.
    private func hide() throws(Errno) -> String {
        let aside = OutputFile.neighbour(of: path, process: getpid(), ending: Self.ending)
        var status = stat()
        if lstat(aside, &status) == 0 { return path }
        if rename(path, aside) == 0 { return aside }
        guard errno == ENAMETOOLONG else { throw Errno() }
        return path
    }

    /// A file that a killed run has left under its hidden name, and that can't be put back.
    struct Leftover {
        let aside: String
        /// The name that it had.
        let path: String
        let fault: Errno
    }

    /// Gives the files that killed runs have left aside their names back.
    ///
    /// - Returns: those that can't have them, as where another one has come under the
    ///   name: that goes first, and a later run does it.
    static func putBackLeftovers(in folder: String) -> [Leftover] {
        var left: [Leftover] = []
        for aside in ArchiveSource.glob("\(folder)/.*\(ending)") {
            let hidden = PathParts.name(of: aside)
            guard let (name, process) = OutputFile.parts(ofNeighbour: hidden, ending: ending) else { continue }
            let (opened, code) = lock(aside)
            defer { if opened >= 0 { close(opened) } }
            // Its process counts only where the file system has no locks: another one
            // may have the identifier by now.
            guard code == 0 || code != EWOULDBLOCK && OutputFile.isGone(process) else { continue }
            let path = "\(PathParts.folder(of: aside))/\(name)"
            if let fault = putBack(aside, as: path) { left.append(Leftover(aside: aside, path: path, fault: fault)) }
        }
        return left
    }

    /// Opens a file, or what a link leads to, and locks it.
    ///
    /// - Returns: the file, negative where it can't be opened; and why there is no
    ///   lock, as errno has it, 0 where there is.
    private static func lock(_ path: String) -> (opened: Int32, code: Int32) {
        let opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return (opened, errno) }
        return (opened, flock(opened, LOCK_EX | LOCK_NB) == 0 ? 0 : errno)
    }

    /// - Returns: why it stays aside; nil where it has its name.
    private static func putBack(_ aside: String, as path: String) -> Errno? {
        guard aside != path else { return nil }
        if link(aside, path) == 0 {
            unlink(aside)
            return nil
        }
        let code = errno
        // A second name is not to be had on every file system, nor of another user's
        // file (proc(5), protected_hardlinks).
        var status = stat()
        if code == EEXIST || lstat(path, &status) == 0 { return Errno(EEXIST) }
        return rename(aside, path) == 0 ? nil : Errno()
    }

    // MARK: Copying

    /// Copies an open file.
    ///
    /// - Returns: false where it is not, or not any more, the one of the stamp.
    private static func copy(_ source: Int32, of stamp: FileStamp, to copy: String) throws(Errno) -> Bool {
        guard source >= 0 else { throw Errno(EACCES) }
        guard FileStamp(descriptor: source) == stamp else { return false }
        let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw Errno() }
        var isOpen = true
        defer { if isOpen { close(target) } }
        // The lock says that it is still being written.
        _ = flock(target, LOCK_EX | LOCK_NB)
        try copyBytes(of: source, to: target)
        try copyProperties(of: source, to: target)
        guard fsync(target) == 0 else { throw Errno() }
        isOpen = false
        guard close(target) == 0 else { throw Errno() }
        return FileStamp(descriptor: source) == stamp
    }

    private static func copyBytes(of source: Int32, to target: Int32) throws(Errno) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Errno() }
            if count == 0 { return }
            let isWritten = buffer.withUnsafeBytes {
                TextOutput.isWritten(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: target)
            }
            guard isWritten else { throw Errno() }
        }
    }

    /// Copies mode and times, by which archives are ordered, and the owner where this user may give files away.
    private static func copyProperties(of source: Int32, to target: Int32) throws(Errno) {
        var status = stat()
        guard fstat(source, &status) == 0 else { throw Errno() }
        _ = fchown(target, status.st_uid, status.st_gid)
        guard fchmod(target, status.st_mode & 0o7777) == 0, futimens(target, [status.st_atim, status.st_mtim]) == 0
        else { throw Errno() }
    }
}
