internal import Foundation

/// Writes the names in a folder to the disk. Only then is a renamed file's new name certain to survive a power cut.
package enum FolderSync {
    /// Writes a folder's names to the disk.
    ///
    /// - Returns: the errno if the names can't be written; nil if they are written, or if they can't be written in
    ///   principle.
    package static func fault(of folder: String) -> Int32? {
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that may be written to need not be readable; then it can't be opened for this.
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        return fault(ofOpened: opened)
    }

    static func fault(ofOpened folder: Int32) -> Int32? {
        // Some file systems can't synchronise folders and return EINVAL (fsync(2)).
        fsync(folder) == 0 || errno == EINVAL ? nil : errno
    }
}
