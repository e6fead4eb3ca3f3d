internal import Foundation

/// An open folder. Its files are opened relative to its descriptor, so replacing the folder by another one or by a link
/// does not redirect them.
package final class OpenFolder: Sendable {
    /// The path through which the folder was opened.
    package let path: String
    package let descriptor: Int32

    /// The value of O_PATH (open(2)), with which a folder that may not be listed can be opened, too. Glibc's module
    /// lacks it.
    private static let pathAlone: Int32 = 0o10_000_000
    private static let flags = pathAlone | O_DIRECTORY | O_CLOEXEC
    /// The maximum number of links that Linux follows (path_resolution(7)).
    private static let maximumLinks = 40

    private init(_ path: String, _ descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

    deinit { close(descriptor) }

    /// Opens the folder to which a path leads, regardless of who made it and the links on the way.
    package convenience init(path: String) throws(Errno) {
        let opened = open(path, Self.flags)
        guard opened >= 0 else { throw Errno() }
        self.init(path, opened)
    }

    // MARK: Folders that only root and this user made

    /// Opens a folder into which files are moved, component by component.
    ///
    /// Everything in a folder that only root and this user may write to was made by them, so links in it are followed.
    /// In any other folder, such as the one into which archives are delivered, the next component must be a folder, not
    /// a link, and belong to root or to this user. Otherwise another user would choose where files are moved.
    ///
    /// - Parameter isMade: whether missing components are created.
    /// - Throws: ``Errno``, ENOENT if a component is missing; ``MillError`` if another user may have made one.
    package static func own(_ path: String, making isMade: Bool) throws -> OpenFolder {
        // A path that is opened component by component may be longer than other calls and programs accept.
        guard path.utf8.count < PATH_MAX else { throw Errno(ENAMETOOLONG) }
        var folder = try OpenFolder(path: path.hasPrefix("/") ? "/" : ".")
        var rest = components(of: path)[...]
        var links = 0
        while let name = rest.popFirst() {
            switch try folder.step(to: name, making: isMade) {
            case .folder(let next): folder = next
            case .link(let target):
                links += 1
                guard links <= maximumLinks else { throw Errno(ELOOP) }
                if target.hasPrefix("/") { folder = try OpenFolder(path: "/") }
                rest = (components(of: target) + rest)[...]
            }
        }
        return OpenFolder(path, dup(folder.descriptor))
    }

    /// The error that prevents moving files into a folder: another user may have made it, or a link to it. Nil if there
    /// is none, or the folder is missing.
    package static func fault(of path: String) -> MillError? {
        do {
            _ = try own(path, making: false)
            return nil
        } catch {
            return error as? MillError
        }
    }

    private static func components(of path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    private enum Step {
        case folder(OpenFolder)
        case link(to: String)
    }

    private func step(to name: String, making isMade: Bool) throws -> Step {
        let place = (path == "/" ? "" : path) + "/" + name
        var opened = openat(descriptor, name, Self.flags | O_NOFOLLOW)
        if opened < 0, errno == ENOENT, isMade {
            guard mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else { throw Errno() }
            opened = openat(descriptor, name, Self.flags | O_NOFOLLOW)
        }
        let mayBeForeign = try name != ".." && !isWrittenByOwnersAlone()
        var status = stat()
        if opened >= 0 {
            let next = OpenFolder(place, opened)
            guard fstat(opened, &status) == 0 else { throw Errno() }
            if mayBeForeign, !Self.isTrusted(status.st_uid) {
                throw Self.foreign(place, "is a folder of \(FileOwner.name(status.st_uid))'s")
            }
            return .folder(next)
        }
        let code = errno
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK else {
            throw Errno(code)
        }
        if mayBeForeign { throw Self.foreign(place, "is a link of \(FileOwner.name(status.st_uid))'s") }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(descriptor, name, &target, target.count)
        guard count > 0 else { throw Errno() }
        return .link(to: String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Whether only root and this user may create names in the folder.
    private func isWrittenByOwnersAlone() throws(Errno) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Errno() }
        return Self.isTrusted(status.st_uid) && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    private static func isTrusted(_ owner: uid_t) -> Bool { owner == 0 || owner == geteuid() }

    private static func foreign(_ place: String, _ what: String) -> MillError {
        MillError(
            stage: .reading, path: place,
            what: "\(what) in a folder that others may write to, and no file is moved there",
            hint: "find out who made it and remove it; a run creates the folder again. It must belong to "
                + "\(FileOwner.name(geteuid())) or root, and must not be a link", exitStatus: .cannotCreate)
    }

    // MARK: Names

    /// The names in the folder, sorted; nil if it can't be listed.
    package func names() -> [String]? {
        let opened = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        guard let listing = fdopendir(opened) else {
            close(opened)
            return nil
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Writes the folder's names to the disk.
    package func sync() throws(Errno) {
        let opened = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that is writable but not readable can't be opened for this.
        guard opened >= 0 else { return }
        defer { close(opened) }
        if let code = FolderSync.fault(ofOpened: opened) { throw Errno(code) }
    }
}
