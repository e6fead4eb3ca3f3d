internal import Foundation
internal import MillSystem

/// A file beside the database, `mill.sqlite-backup`, that states when and where the last verified copy was made.
///
/// A backup only reads the database, so it can't store this there. The file is text with one value on each line:
/// milliseconds since 1970, the number of archive lines in the copy, its bytes, and its path.
package struct BackupNote: Sendable, Hashable {
    /// Milliseconds since 1970.
    package let madeAt: Int64
    package let lines: Int
    package let bytes: Int64
    package let path: String

    package init(madeAt: Int64, _ copy: BackupSummary, at path: String) {
        (self.madeAt, lines, bytes) = (madeAt, copy.lines, copy.bytes)
        self.path = RealPath.of(path)
    }

    private static func path(of database: String) -> String { RealPath.of(database) + DatabaseName.backupEnding }

    /// Reads the note beside a database; nil if there is none, or it can't be read.
    package init?(of database: String) {
        guard let data = FileManager.default.contents(atPath: Self.path(of: database)) else { return nil }
        // A path may contain a newline.
        let parts = String(decoding: data, as: UTF8.self)
            .split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let time = Int64(parts[0]), let lines = Int(parts[1]), let bytes = Int64(parts[2])
        else { return nil }
        (madeAt, self.lines, self.bytes, path) = (time, lines, bytes, String(parts[3].dropLast()))
    }

    /// Writes the note, and replaces the former one.
    package func write(of database: String) throws {
        try OutputFile.write(to: Self.path(of: database), mode: 0o600) {
            try $0("\(madeAt)\n\(lines)\n\(bytes)\n\(path)\n")
        }
    }

    /// The newest copy that was made before a time, among the last copy and the former ones beside it; nil if there is
    /// none.
    ///
    /// - Parameter time: milliseconds since 1970, as in ``madeAt``.
    package func newestCopy(madeBefore time: Int64) -> (path: String, madeAt: Int64)? {
        ([path] + FormerCopies.names(of: path)).compactMap { (name) -> (path: String, madeAt: Int64)? in
            guard let file = FileStamp(path: name), file.isRegular, file.bytes > 0 else { return nil }
            return (name, file.writtenAt)
        }.filter { $0.madeAt < time }.max { $0.madeAt < $1.madeAt }
    }

    /// Whether the copy is still at its path, with the same length.
    package var isInPlace: Bool { FileStamp(path: path)?.bytes == bytes }
}

extension FileStamp {
    /// When the file was last written, in milliseconds since 1970.
    package var writtenAt: Int64 { Int64(writtenSeconds) * 1000 + Int64(writtenNanoseconds / 1_000_000) }
}
