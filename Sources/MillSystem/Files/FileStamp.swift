package import Foundation

/// A file's identity, its length, and the time at which it was last written. If the file is changed, its stamp changes.
package struct FileStamp: Sendable, Hashable {
    package let device: UInt64
    let inode: UInt64
    package let bytes: Int64
    package let writtenSeconds: Int
    package let writtenNanoseconds: Int
    /// Whether this is a regular file, not a folder, pipe or device.
    package let isRegular: Bool

    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        bytes = Int64(status.st_size)
        writtenSeconds = status.st_mtim.tv_sec
        writtenNanoseconds = status.st_mtim.tv_nsec
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether both stamps belong to the same file, under whatever names.
    package func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }

    /// The stamp of an open file; nil if the descriptor is not open.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of the file at a path; nil if there is none.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of the file with the given name in an open folder; if the name is a link, of its target. Nil if there
    /// is none.
    package init?(name: String, in folder: OpenFolder) {
        var status = stat()
        guard fstatat(folder.descriptor, name, &status, 0) == 0 else { return nil }
        self.init(status)
    }
}
