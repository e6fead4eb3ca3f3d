internal import Foundation
internal import MillSystem

/// Opens files that a pattern has found. At any moment, other users may replace them by links.
enum FoundFile {
    static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    /// The value of O_PATH (open(2)), which opens a link itself. Glibc's module lacks it.
    private static let linkItself: Int32 = 0o10_000_000
    /// The number of links that Linux follows (path_resolution(7)).
    private static let maximumLinks = 40

    /// Opens a file, also through links that belong to this user or to root.
    ///
    /// A link is opened before its owner is checked. Otherwise a user who may write to the folder could replace the
    /// link in between.
    ///
    /// - Returns: a descriptor; if the file can't be opened, a negative number, with errno set.
    static func open(_ path: String, _ linksLeft: Int = maximumLinks) throws(MillError) -> Int32 {
        let opened = Foundation.open(path, flags | O_NOFOLLOW)
        guard opened < 0, errno == ELOOP, linksLeft > 0 else { return opened }
        let link = Foundation.open(path, linkItself | O_NOFOLLOW | O_CLOEXEC)
        guard link >= 0 else { return link }
        var status = stat()
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = fstat(link, &status) == 0 ? readlinkat(link, "", &target, target.count) : -1
        let code = errno
        close(link)
        guard count > 0 else {
            errno = code
            return -1
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw MillError(
                stage: .reading, path: path,
                what: "is a link that belongs to \(FileOwner.name(status.st_uid)), and is not followed",
                hint: "find out who made it and remove it", exitStatus: .missingInput)
        }
        let name = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return try open(name.hasPrefix("/") ? name : PathParts.folder(of: path) + "/" + name, linksLeft - 1)
    }
}
