internal import Foundation
internal import MillSystem

/// The copies that backups have made before: `FILE.1`, `FILE.2` and so on, the newest first.
///
/// A new copy takes its name before former ones are moved: whenever a backup is killed, `FILE` is a whole copy. The
/// one that it replaces has the name `FILE.former` meanwhile, and the next backup goes on from there.
struct FormerCopies {
    private let destination: String
    private let generations: Int
    private var former: String { "\(destination).former" }

    /// - Parameter destination: the path of the newest copy.
    init(of destination: String, generations: Int) {
        (self.destination, self.generations) = (destination, generations)
    }

    /// Gives the newest copy's name to a file, and to the one that has it the name of a former one.
    func replace(by file: String) throws(MillError) {
        if generations > 1, FileStamp(path: destination) != nil, link(destination, former) != 0 {
            // No second name is to be had on this file system: the former copies are moved before.
            guard rename(destination, former) == 0 else { throw DatabaseBackup.failure(destination) }
            try finish()
        }
        guard rename(file, destination) == 0 else { throw DatabaseBackup.failure(destination) }
    }

    /// Gives every former copy the next number, where one waits for the first; the oldest goes.
    func finish() throws(MillError) {
        guard let waiting = FileStamp(path: former) else { return }
        // A backup was killed before it replaced the copy, which has two names.
        if let newest = FileStamp(path: destination), newest.isSameFile(as: waiting) {
            guard unlink(former) == 0 else { throw DatabaseBackup.failure(former) }
            return
        }
        func name(_ number: Int) -> String { number == 0 ? former : "\(destination).\(number)" }
        // A backup that was killed here has left a number free: what lies behind that number was moved.
        let last = max(generations, 2) - 1
        let free = (1...last).first { FileStamp(path: name($0)) == nil } ?? last
        for number in stride(from: free - 1, through: 0, by: -1)
        where FileStamp(path: name(number)) != nil {
            guard rename(name(number), name(number + 1)) == 0 else { throw DatabaseBackup.failure(name(number + 1)) }
        }
    }
}
