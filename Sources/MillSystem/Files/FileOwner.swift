package import Foundation

/// Checks the owner of a file. In a folder that others may write to, such as `/tmp`, another user can create a link or
/// a file where this program is going to write.
package enum FileOwner {
    /// Refuses a link that another user made, because that user would choose which file is read or replaced.
    ///
    /// Links of this user, of root and of the folder's owner are followed, because the folder's
    /// owner could replace any file in the folder anyway.
    ///
    /// - Parameter stage: the stage that an error names.
    package static func refuseForeignLinks(_ path: String, at stage: Stage) throws(MillError) {
        guard let link = link(from: path, where: { isForeign($0, in: PathParts.folder(of: $1)) }) else { return }
        throw MillError(
            stage: stage, path: link.path,
            what: "is a link that belongs to \(name(link.owner)), and is not followed",
            hint: "find out who made it, then remove it or name another file", exitStatus: .cannotCreate)
    }

    /// The user who made a link on the way to a file, if that is neither this user nor root: the user would choose
    /// which file is read with this user's rights. Nil if all links belong to this user or root.
    ///
    /// Even a link of the folder's owner counts, because whoever delivers archives owns the folder that contains them.
    package static func stranger(whoMadeLink path: String) -> String? {
        link(from: path) { owner, _ in owner != geteuid() && owner != 0 }.map { name($0.owner) }
    }

    /// The first link on the way from a path to its file for which `isRefused` returns true, called with the owner and
    /// the link's path; nil if there is none.
    private static func link(
        from path: String, where isRefused: (uid_t, String) -> Bool
    ) -> (path: String, owner: uid_t)? {
        var path = path
        for _ in 0..<maximumLinks {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
            if isRefused(status.st_uid, path) { return (path, status.st_uid) }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return nil }
            path = target.hasPrefix("/") ? target : PathParts.folder(of: path) + "/" + target
        }
        return nil
    }

    /// Refuses a private file of this program if another user made it and so could read and change it.
    package static func refuseForeignFile(_ path: String, at stage: Stage) throws(MillError) {
        let path = RealPath.of(path)
        var status = stat()
        guard lstat(path, &status) == 0, isForeign(status.st_uid, in: PathParts.folder(of: path)) else { return }
        throw MillError(
            stage: stage, path: path, what: "belongs to \(name(status.st_uid)), who could read and change it",
            hint: "run as its owner; if it is not meant to be there, remove it or name another file",
            exitStatus: .cannotCreate)
    }

    /// If root creates a file, gives it to the owner of the file that it replaces, or else of its folder. Otherwise
    /// root's files would lock out a service that runs as another user.
    package static func give(_ made: Int32, as path: String) {
        guard geteuid() == 0 else { return }
        var (owner, file) = (stat(), stat())
        guard stat(path, &owner) == 0 || stat(PathParts.folder(of: path), &owner) == 0, fstat(made, &file) == 0,
            file.st_nlink == 1
        else { return }
        _ = fchown(made, owner.st_uid, owner.st_gid)
    }

    private static func isForeign(_ owner: uid_t, in folder: String) -> Bool {
        var status = stat()
        let isOfFolder = stat(folder, &status) == 0 && status.st_uid == owner
        return owner != geteuid() && owner != 0 && !isOfFolder
    }

    /// A user's name; the user's number if there is none.
    package static func name(_ user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
    }

    /// The number of links that Linux follows (path_resolution(7)).
    private static let maximumLinks = 40
}
