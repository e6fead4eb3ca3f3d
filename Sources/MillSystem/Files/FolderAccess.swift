internal import Foundation

/// Finds out whether the file system would refuse an operation, before anything is written.
package enum FolderAccess {
    /// The errno for giving a name to a file in a folder, or taking it from one; nil if both are possible.
    package static func fault(changing name: String, in folder: String) -> Int32? {
        guard faccessat(AT_FDCWD, folder + "/", W_OK | X_OK, AT_EACCESS) == 0 else { return errno }
        let maximum = pathconf(folder, Int32(_PC_NAME_MAX))
        let path = folder + "/" + name
        if maximum > 0, name.utf8.count > maximum || path.utf8.count >= PATH_MAX { return ENAMETOOLONG }
        // In a sticky folder, only the file's owner and the folder's owner may change a file.
        var (parent, file) = (stat(), stat())
        guard geteuid() != 0, stat(folder + "/", &parent) == 0, parent.st_mode & S_ISVTX != 0, lstat(path, &file) == 0
        else { return nil }
        return [parent.st_uid, file.st_uid].contains(geteuid()) ? nil : EPERM
    }

    /// The errno for creating a file in a folder that may itself have to be created first; nil if it is possible.
    package static func fault(making name: String, in folder: String) -> Int32? {
        guard "\(folder)/\(name)".utf8.count < PATH_MAX else { return ENAMETOOLONG }
        var present = RealPath.of(folder)
        var missing = [name]
        while !FileManager.default.fileExists(atPath: present), present != "/", present != "." {
            missing.append(PathParts.name(of: present))
            present = PathParts.folder(of: present)
        }
        let maximum = pathconf(present, Int32(_PC_NAME_MAX))
        if maximum > 0, missing.contains(where: { $0.utf8.count > maximum }) { return ENAMETOOLONG }
        return fault(changing: missing.last ?? name, in: present)
    }
}
