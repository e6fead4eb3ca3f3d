internal import Foundation

/// Finds files that consist mostly of holes: bytes that were never written, read as zeros and take no disk space
/// (lseek(2)). `truncate` creates terabytes of holes at once, which would take hours to read.
package enum FileHoles {
    /// A smaller file is read quickly, with holes or not.
    private static let minimumBytes: Int64 = 1 << 20
    /// The value of SEEK_HOLE (lseek(2)). Glibc's module lacks it.
    private static let nextHole: Int32 = 4
    /// The unit in which stat(2) counts blocks, in bytes.
    private static let blockBytes: Int64 = 512

    /// The length of a file that consists mostly of holes, and the number of its bytes on the disk; nil for any other
    /// file.
    ///
    /// On a compressing file system, too, a file has fewer blocks than its length suggests, so the search for a hole
    /// decides.
    package static func most(of path: String) -> (bytes: Int64, written: Int64)? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let (bytes, written) = (Int64(status.st_size), Int64(status.st_blocks) * blockBytes)
        guard bytes >= minimumBytes, written < bytes / 2 else { return nil }
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        // A file system without holes reports one at the end of each file (lseek(2)).
        let hole = lseek(opened, 0, nextHole)
        return hole >= 0 && Int64(hole) < bytes ? (bytes, written) : nil
    }
}
