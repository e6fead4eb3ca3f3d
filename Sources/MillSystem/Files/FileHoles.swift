internal import Foundation

/// Bytes of a file that nobody has written: they read as zeros and take no disk space (lseek(2)). `truncate` makes
/// terabytes of them in no time, which would take hours to read.
package enum FileHoles {
    /// Bytes of smaller files are read soon.
    private static let leastBytes: Int64 = 1 << 20
    /// What lseek(2) calls SEEK_HOLE, which Glibc's module does not have.
    private static let nextHole: Int32 = 4
    /// Bytes of what stat(2) calls a block.
    private static let blockBytes: Int64 = 512

    /// The length of a file that is mostly holes, and how many bytes of it the disk has; nil of another.
    ///
    /// A file system that packs what it stores has fewer blocks than the file has bytes, too, but no holes.
    package static func most(of path: String) -> (bytes: Int64, written: Int64)? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let (bytes, written) = (Int64(status.st_size), Int64(status.st_blocks) * blockBytes)
        guard bytes >= leastBytes, written < bytes / 2 else { return nil }
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        // A file system that knows of none has one at the end of each file.
        let hole = lseek(opened, 0, nextHole)
        return hole >= 0 && Int64(hole) < bytes ? (bytes, written) : nil
    }
}
