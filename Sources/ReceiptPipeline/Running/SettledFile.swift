internal import Foundation

/// What the system refused.
struct SystemFault: Error {
    let code: Int32

    init(_ code: Int32 = errno) { self.code = code }
}

/// The file of an archive whose every line is on the disk, as it was read.
///
/// Who delivers archives may replace it at any moment. So it is taken aside first,
/// to a hidden name in its folder, and goes from there if it is still the file that
/// was read; another one is put back.
struct SettledFile {
    let path: String
    let stamp: FileStamp

    /// - Returns: false where another file has its name now, which stays.
    func remove() throws(SystemFault) -> Bool {
        try take { (aside) throws(SystemFault) in
            guard unlink(aside) == 0 else { throw SystemFault() }
        }
    }

    /// Moves it, also to another file system: there it stands under its name only
    /// when all of it is on the disk, and only then goes from here. What has the
    /// name there is replaced. What a link leads to stays where it is, and the link
    /// leads there from its new place too.
    ///
    /// - Returns: false where another file has its name now, which stays.
    func move(to target: String) throws(SystemFault) -> Bool {
        try take { (aside) throws(SystemFault) in
            var status = stat()
            guard lstat(aside, &status) == 0 else { throw SystemFault() }
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            if !isLink, Foundation.rename(aside, target) == 0 { return }
            guard isLink || errno == EXDEV else { throw SystemFault() }
            OutputFile.removeLeftovers(of: target)
            let copy = OutputFile.neighbour(of: target, process: getpid())
            do throws(SystemFault) {
                if isLink {
                    guard symlink(RealPath.of(aside), copy) == 0 else { throw SystemFault() }
                } else {
                    try Self.copy(aside, to: copy)
                }
                guard Foundation.rename(copy, target) == 0 else { throw SystemFault() }
            } catch {
                unlink(copy)
                throw error
            }
            guard unlink(aside) == 0 else { throw SystemFault() }
        }
    }

    // MARK: Taking aside

    private static let ending = ".taken"

    private func take(_ finish: (_ aside: String) throws(SystemFault) -> Void) throws(SystemFault) -> Bool {
        let aside = try hide()
        do throws(SystemFault) {
            if FileStamp(path: aside) == stamp {
                try finish(aside)
                return true
            }
        } catch {
            Self.putBack(aside, as: path)
            throw error
        }
        Self.putBack(aside, as: path)
        return false
    }

    /// - Returns: the path itself where no hidden name is to be had.
    private func hide() throws(SystemFault) -> String {
        let aside = OutputFile.neighbour(of: path, process: getpid(), ending: Self.ending)
        var status = stat()
        if lstat(aside, &status) == 0 { return path }
        if rename(path, aside) == 0 { return aside }
        guard errno == ENAMETOOLONG else { throw SystemFault() }
        return path
    }

    /// Gives the files that killed runs have left aside their names back. Where
    /// another one has come under the name, that goes first, and a later run does it.
    static func putBackLeftovers(in folder: String) {
        for path in ArchiveSource.glob(folder.isEmpty ? ".*\(ending)" : "\(folder)/.*\(ending)") {
            let hidden = (path as NSString).lastPathComponent
            guard let (name, process) = OutputFile.parts(ofNeighbour: hidden, ending: ending),
                OutputFile.isGone(process)
            else { continue }
            putBack(path, as: "\(OutputFile.folder(of: path))/\(name)")
        }
    }

    /// Leaves it aside where another file has come under its name.
    private static func putBack(_ aside: String, as path: String) {
        guard aside != path else { return }
        if link(aside, path) == 0 {
            unlink(aside)
            return
        }
        // A second name is not to be had on every file system, nor of another user's
        // file (proc(5), protected_hardlinks).
        var status = stat()
        if errno != EEXIST, lstat(path, &status) != 0 { rename(aside, path) }
    }

    // MARK: Copying

    private static func copy(_ path: String, to copy: String) throws(SystemFault) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw SystemFault() }
        defer { close(source) }
        let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw SystemFault() }
        var isOpen = true
        defer { if isOpen { close(target) } }
        // Who finds it can tell that somebody still writes it.
        _ = flock(target, LOCK_EX | LOCK_NB)
        try copyBytes(of: source, to: target)
        try copyProperties(of: source, to: target)
        guard fsync(target) == 0 else { throw SystemFault() }
        isOpen = false
        guard close(target) == 0 else { throw SystemFault() }
    }

    private static func copyBytes(of source: Int32, to target: Int32) throws(SystemFault) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemFault() }
            if count == 0 { return }
            var written = 0
            while written < count {
                let step = buffer.withUnsafeBytes { bytes in
                    write(target, bytes.baseAddress?.advanced(by: written), count - written)
                }
                if step < 0, errno == EINTR { continue }
                guard step > 0 else { throw SystemFault() }
                written += step
            }
        }
    }

    /// Mode and times, which say in what order archives came; and the owner, where
    /// this user may give files away.
    private static func copyProperties(of source: Int32, to target: Int32) throws(SystemFault) {
        var status = stat()
        guard fstat(source, &status) == 0 else { throw SystemFault() }
        _ = fchown(target, status.st_uid, status.st_gid)
        guard fchmod(target, status.st_mode & 0o7777) == 0, futimens(target, [status.st_atim, status.st_mtim]) == 0
        else { throw SystemFault() }
    }
}
