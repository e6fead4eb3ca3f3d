internal import Foundation
internal import GRDB

/// Copies a database while it is in use (SQLite's online backup).
public struct DatabaseBackup: Sendable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// Makes a copy that is one file, whole, and its owner's alone.
    ///
    /// It holds what was committed when the copy began; a run at work goes on.
    ///
    /// - Parameter destination: replaced when the copy is complete, or left as it was.
    public func write(to destination: String) throws {
        let source = try ReportDatabase(path: path)
        for suffix in ["", "-wal", "-shm", "-lock"] where Self.areSame(destination, path + suffix) {
            throw MillError(
                stage: .loading, path: destination, what: "is the database, which the copy would replace",
                hint: "name another file, best on another disk", exitStatus: .usage)
        }
        let temporary = destination + ".part"
        try? FileManager.default.removeItem(atPath: temporary)
        let made = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw Self.failure(destination, .cannotCreate) }
        defer {
            close(made)
            for ending in ["", "-wal", "-shm", "-journal"] { unlink(temporary + ending) }
        }
        do {
            let copy = try DatabaseQueue(path: temporary)
            try source.queue.backup(to: copy)
            try copy.writeWithoutTransaction { db in
                // Without a log of its own, the copy can be moved about and read
                // where nothing may be written.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
                guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
                    throw MillError(
                        stage: .loading, path: path, what: "the copy is damaged, and so may be the database",
                        hint: "receiptmill check --database \(path)", exitStatus: .badData)
                }
            }
            try copy.close()
        } catch let error as DatabaseError {
            throw ReportDatabase.explained(error, path: destination)
        }
        guard fsync(made) == 0, rename(temporary, destination) == 0 else {
            throw Self.failure(destination, .ioError)
        }
    }

    private static func areSame(_ first: String, _ second: String) -> Bool {
        guard let first = FileStamp(path: first), let second = FileStamp(path: second) else { return false }
        return first.device == second.device && first.inode == second.inode
    }

    private static func failure(_ path: String, _ status: ExitStatus) -> MillError {
        MillError(
            stage: .loading, path: path, what: "the copy can't be made: \(String(cString: strerror(errno)))",
            hint: "check the folder, its permissions and the space left", exitStatus: status)
    }
}
