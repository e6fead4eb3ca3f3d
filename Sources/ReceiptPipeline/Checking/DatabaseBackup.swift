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
        for suffix in ["", "-wal", "-shm", "-lock"] where Self.areSame(destination, RealPath.of(path) + suffix) {
            throw MillError(
                stage: .loading, path: destination, what: "is the database, which the copy would replace",
                hint: "name another file, best on another disk", exitStatus: .usage)
        }
        let source = try ReportDatabase(path: path)
        let lock = try Self.seize(destination)
        defer { withExtendedLifetime(lock) {} }
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

    /// Keeps runs out of a database that is to be replaced, and refuses one with
    /// a log beside it: SQLite would lay the log over the copy.
    private static func seize(_ destination: String) throws(MillError) -> RunLock? {
        let lock = try lock(destination)
        for log in [destination + "-wal", destination + "-journal"] {
            guard let bytes = FileStamp(path: log)?.bytes, bytes > 0 else { continue }
            throw MillError(
                stage: .loading, path: destination, what: "\(log) lies beside it and would damage the copy",
                hint: "name another file; or end who is at work on \(destination), then remove both",
                exitStatus: .cannotCreate)
        }
        return lock
    }

    private static func lock(_ destination: String) throws(MillError) -> RunLock? {
        guard FileManager.default.fileExists(atPath: destination) else { return nil }
        do throws(MillError) {
            return try RunLock(database: destination)
        } catch {
            guard error.exitStatus == .tryLater else { throw error }
            throw MillError(
                stage: .loading, path: destination, what: "a run is loading into the file that is to be replaced",
                hint: "name another file, or remove this one when the run has ended", exitStatus: .cannotCreate)
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
