internal import Foundation

/// Names of a folder on the disk: a file that was renamed has its name behind a power cut only then.
package enum FolderSync {
    /// Writes a folder's names to the disk.
    ///
    /// - Returns: why it can't be done, as errno has it; nil where it is, or no one can.
    package static func fault(of folder: String) -> Int32? {
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder may be written to and not be read.
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        // Some file systems can't (fsync(2)).
        return fsync(opened) == 0 || errno == EINVAL ? nil : errno
    }
}
