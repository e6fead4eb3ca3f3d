internal import Foundation
internal import MillConfiguration
internal import MillSystem

/// The file of an archive all of whose lines are durable, in the state in which the run has read it.
///
/// Another delivery may replace the file at any moment. So the file is first renamed to a hidden name in its folder. If
/// its stamp is then that of the file which was read, it is moved or removed; any other file gets its name back.
struct ProcessedFile {
    let path: String
    let stamp: FileStamp
    /// The folder in which the file was found; nil for the folder that the path names.
    var folder: OpenFolder?

    /// - Returns: false if another file has taken the name meanwhile; the other file stays.
    func remove() throws(Errno) -> Bool {
        try take { (aside, _) throws(Errno) in
            guard aside.unlink() == 0 else { throw Errno() }
            return true
        }
    }

    /// Moves the file, also to another file system. There, a copy gets the target's name only when it is completely on
    /// the disk, and only then the file is removed. A symbolic link is moved itself, and still leads to the same file.
    ///
    /// - Returns: false if another file has taken the name meanwhile; the other file stays.
    /// - Throws: EEXIST if a file has the target's name; that file stays.
    func move(into folder: OpenFolder, as name: String) throws(Errno) -> Bool {
        let target = Place(folder: folder, name: name)
        return try take { (aside, opened) throws(Errno) in
            // This early check only saves a useless copy. A file that appears later is noticed when the copy gets the
            // name.
            if target.status() != nil { throw Errno(EEXIST) }
            guard let status = aside.status() else { throw Errno() }
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            if !isLink {
                do throws(Errno) {
                    try Self.place(aside, as: target)
                    return true
                } catch {
                    guard error.code == EXDEV else { throw error }
                }
            }
            let copy = target.neighbour()
            do throws(Errno) {
                if isLink {
                    guard symlinkat(RealPath.of(aside.path), folder.descriptor, copy.name) == 0 else { throw Errno() }
                } else {
                    guard try Self.copy(opened, of: stamp, to: copy) else {
                        _ = copy.unlink()
                        return false
                    }
                }
                try Self.place(copy, as: target)
            } catch {
                _ = copy.unlink()
                throw error
            }
            try folder.sync()
            guard aside.unlink() == 0 else { throw Errno() }
            return true
        }
    }

    // MARK: Taking aside

    private static let ending = ".taken"

    /// - Parameter finish: takes the hidden name and a descriptor of the file, which is negative if the file can't be
    ///   opened. If it returns false, the file gets its name back.
    private func take(
        _ finish: (_ aside: Place, _ opened: Int32) throws(Errno) -> Bool
    ) throws(Errno) -> Bool {
        let place = Place(folder: try openedFolder(), name: PathParts.name(of: path))
        guard isThere(place) else { return false }
        // The lock shows other runs that the hidden file belongs to a running process.
        let opened = Self.lock(place).opened
        defer { if opened >= 0 { close(opened) } }
        let aside = try Self.hide(place)
        do throws(Errno) {
            if isThere(aside), try finish(aside, opened) { return true }
        } catch {
            _ = Self.putBack(aside, as: place)
            throw error
        }
        _ = Self.putBack(aside, as: place)
        return false
    }

    private func openedFolder() throws(Errno) -> OpenFolder {
        if let folder { return folder }
        return try OpenFolder(path: PathParts.folder(of: path))
    }

    /// Whether the name still refers to the file, directly or by a link that belongs to root or to this user. A link of
    /// another user does not count, since its owner can change where it leads.
    private func isThere(_ place: Place) -> Bool {
        guard let status = place.status(), FileStamp(name: place.name, in: place.folder) == stamp else { return false }
        return status.st_mode & S_IFMT != S_IFLNK || status.st_uid == 0 || status.st_uid == geteuid()
    }

    /// - Returns: the place itself if the hidden name is taken or too long.
    private static func hide(_ place: Place) throws(Errno) -> Place {
        let aside = place.neighbour(ending: ending)
        if aside.status() != nil { return place }
        if place.rename(to: aside) == 0 { return aside }
        guard errno == ENAMETOOLONG else { throw Errno() }
        return place
    }

    /// A file that a killed run has left under its hidden name, and that can't be renamed back.
    struct Leftover {
        let aside: String
        /// The path that the file had before.
        let path: String
        let fault: Errno
    }

    /// Renames files that killed runs have left under hidden names back to their own names.
    ///
    /// - Returns: files that can't be renamed back, for instance because another delivery has the name; a later run
    ///   tries again.
    static func putBackLeftovers(in folder: String) -> [Leftover] {
        var left: [Leftover] = []
        for path in ArchiveSource.glob("\(folder)/.*\(ending)") {
            let hidden = PathParts.name(of: path)
            guard let (name, process) = OutputFile.parts(ofNeighbour: hidden, ending: ending),
                let folder = try? OpenFolder(path: PathParts.folder(of: path))
            else { continue }
            let (aside, place) = (Place(folder: folder, name: hidden), Place(folder: folder, name: name))
            let (opened, code) = lock(aside)
            defer { if opened >= 0 { close(opened) } }
            // The process identifier decides only on file systems without locks, because another process may have the
            // identifier by now.
            guard code == 0 || code != EWOULDBLOCK && OutputFile.isGone(process) else { continue }
            if let fault = putBack(aside, as: place) {
                left.append(Leftover(aside: aside.path, path: place.path, fault: fault))
            }
        }
        return left
    }

    /// Opens a file, or the target of a link, and locks the file.
    ///
    /// - Returns: the descriptor, negative if the file can't be opened; and the errno of the lock, 0 if the file is
    ///   locked.
    private static func lock(_ place: Place) -> (opened: Int32, code: Int32) {
        let opened = place.open(O_RDONLY | O_NONBLOCK)
        guard opened >= 0 else { return (opened, errno) }
        return (opened, flock(opened, LOCK_EX | LOCK_NB) == 0 ? 0 : errno)
    }

    /// - Returns: the error because of which the file keeps its hidden name; nil if the file has its own name again.
    private static func putBack(_ aside: Place, as place: Place) -> Errno? {
        guard aside.name != place.name else { return nil }
        let folder = place.folder.descriptor
        if linkat(folder, aside.name, folder, place.name, 0) == 0 {
            _ = aside.unlink()
            return nil
        }
        let code = errno
        // Not every file system has hard links, and the kernel may refuse a link to another user's file (proc(5),
        // protected_hardlinks).
        if code == EEXIST || place.status() != nil { return Errno(EEXIST) }
        return aside.rename(to: place) == 0 ? nil : Errno()
    }

    // MARK: Copying

    /// Copies an open file.
    ///
    /// - Returns: false if the open file is not the file of the stamp, or has changed during the copy.
    private static func copy(_ source: Int32, of stamp: FileStamp, to copy: Place) throws(Errno) -> Bool {
        guard source >= 0 else { throw Errno(EACCES) }
        guard FileStamp(descriptor: source) == stamp else { return false }
        let target = copy.open(O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard target >= 0 else { throw Errno() }
        var isOpen = true
        defer { if isOpen { close(target) } }
        // The lock shows other runs that the copy is still being written.
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

    /// Copies the times, by which archives are ordered, and, if this user may change owners, the owner and the mode.
    ///
    /// The mode is only safe with the file's owner. If the copy belongs to this user, a copied mode would let the
    /// source's owner decide who may act as this user, for example by the set-user-ID bit.
    private static func copyProperties(of source: Int32, to target: Int32) throws(Errno) {
        var status = stat()
        guard fstat(source, &status) == 0 else { throw Errno() }
        if fchown(target, status.st_uid, status.st_gid) == 0 {
            guard fchmod(target, status.st_mode & permissions) == 0 else { throw Errno() }
        }
        guard futimens(target, [status.st_atim, status.st_mtim]) == 0 else { throw Errno() }
    }

    /// The mode bits that are copied: permissions to read and write.
    private static let permissions: mode_t = 0o666
}
