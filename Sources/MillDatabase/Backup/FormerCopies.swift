internal import Foundation
internal import MillSystem

/// The copies of earlier backups: `FILE.1`, `FILE.2` and so on, the newest first.
///
/// A new copy gets its name before former copies are renamed, so that `FILE` is a complete copy even if a backup is
/// killed. Meanwhile the replaced copy is named `FILE.former`, and the next backup continues from there.
package struct FormerCopies {
    private let destination: String
    private let generations: Int
    private var former: String { "\(destination).former" }

    /// - Parameter destination: the path of the newest copy.
    init(of destination: String, generations: Int) {
        (self.destination, self.generations) = (destination, generations)
    }

    /// The maximum number of copies.
    package static let maximumGenerations = 1000

    /// The names that former copies may have.
    static func names(of destination: String) -> [String] {
        ["\(destination).former"] + (1..<maximumGenerations).map { "\(destination).\($0)" }
    }

    /// Renames a file to the newest copy's name, and keeps the copy that had this name as a former one.
    func replace(by file: String) throws(MillError) {
        if generations > 1, FileStamp(path: destination) != nil, link(destination, former) != 0 {
            // The file system has no hard links: the former copies are renamed before the new copy has its name.
            guard rename(destination, former) == 0 else { throw DatabaseBackup.failure(destination) }
            try finish()
        }
        guard rename(file, destination) == 0 else { throw DatabaseBackup.failure(destination) }
    }

    /// If a copy is named `FILE.former`, gives each former copy the next number; the oldest copy is deleted.
    func finish() throws(MillError) {
        guard let waiting = FileStamp(path: former) else { return }
        // If both names refer to the same file, a backup was killed before it replaced the newest copy.
        if let newest = FileStamp(path: destination), newest.isSameFile(as: waiting) {
            guard unlink(former) == 0 else { throw DatabaseBackup.failure(former) }
            return
        }
        func name(_ number: Int) -> String { number == 0 ? former : "\(destination).\(number)" }
        // A free number shows where a killed backup stopped: copies with greater numbers were already renamed.
        let last = max(generations, 2) - 1
        let free = (1...last).first { FileStamp(path: name($0)) == nil } ?? last
        for number in stride(from: free - 1, through: 0, by: -1)
        where FileStamp(path: name(number)) != nil {
            guard rename(name(number), name(number + 1)) == 0 else { throw DatabaseBackup.failure(name(number + 1)) }
        }
    }
}
