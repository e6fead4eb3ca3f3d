internal import Foundation

/// The names in a folder, written to the disk: a renamed file keeps its new name after a power cut
/// only then.
package enum FolderSync {
    /// Writes a folder's names to the disk.
    ///
    /// - Returns: the errno with which the names can't be written; nil if they are written, or
    ///   nothing can write them.
    package static func fault(of folder: String) -> Int32? {
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that may be written to need not be readable, and then can't be opened for this.
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        return fault(ofOpened: opened)
    }

    static func fault(ofOpened folder: Int32) -> Int32? {
        // Some file systems can't synchronise folders and answer EINVAL (fsync(2)).
        fsync(folder) == 0 || errno == EINVAL ? nil : errno
    }
}
