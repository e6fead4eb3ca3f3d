internal import Foundation
internal import GRDB
internal import MillSystem

/// Copies a database with SQLite's online backup, while other programs use it.
package struct DatabaseBackup {
    package let path: String
    /// Whether the copy may replace a file that is not a ReceiptMill database.
    package var replacesOthers = false
    /// The number of copies that are kept: the newest as `FILE`, and older ones as `FILE.1`, `FILE.2` and so on.
    package var generations = 1
    /// Called with the share of the pages that are copied. Use it only if no one else writes to the database: a copy in
    /// several steps starts again after each write.
    package var onProgress: ((Double) -> Void)?

    package init(path: String) {
        self.path = path
    }

    /// The number of pages that are copied between two reports of progress, which takes some tenths of a second.
    private static let pagesPerStep: CInt = 16_384

    /// Makes a copy in one file that only its owner can read.
    ///
    /// The copy contains the rows that were committed when copying began; a run may continue meanwhile.
    ///
    /// - Parameter destination: the path of the copy; a symbolic link is followed. A file there is replaced when the
    ///   copy is complete, and is unchanged if copying fails.
    @discardableResult package func write(to destination: String) throws -> BackupSummary {
        let destination = RealPath.of(destination)
        if DatabaseName.isTaken(destination, by: path) {
            throw Self.refusal(
                destination, "is the database, or the name of a file that SQLite or a run makes beside it",
                hint: "name another file, best on another disk", .usage)
        }
        let source = try ReadOnlyDatabase(path: path)
        let lock = try Self.seize(destination)
        defer { withExtendedLifetime(lock) {} }
        let former = FormerCopies(of: destination, generations: generations)
        try former.finish()
        try refuseOther(destination, than: source)
        OutputFile.removeLeftovers(of: destination)
        try checkDiskSpace(for: destination)
        let temporary = OutputFile.neighbour(of: destination, process: getpid())
        let made = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw Self.failure(destination) }
        FileOwner.give(made, as: destination)
        // The lock marks the temporary file as one that is still being written.
        _ = flock(made, LOCK_EX | LOCK_NB)
        defer {
            close(made)
            for ending in [""] + OutputFile.endingsOfSQLite { unlink(temporary + ending) }
        }
        let standing: DatabaseStamp
        do {
            let copy = try DatabaseQueue(file: temporary)
            try source.queue.backup(to: copy, pagesPerStep: onProgress == nil ? -1 : Self.pagesPerStep) { progress in
                onProgress?(Double(progress.completedPageCount) / Double(max(progress.totalPageCount, 1)))
            }
            try copy.writeWithoutTransaction { db in
                // A copy without SQLite's log can be moved, and read in a folder in which nothing may be written.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
                if let damage = try DatabaseDamage(db) { throw damaged(damage) }
            }
            standing = try copy.read(DatabaseStamp.init)
            try copy.close()
        } catch let error as DatabaseError {
            throw Self.explained(error, destination)
        }
        guard fsync(made) == 0 else { throw Self.failure(destination) }
        try former.replace(by: temporary)
        // A log beside the destination belongs to the former copy.
        for ending in OutputFile.endingsOfSQLite { unlink(destination + ending) }
        try former.finish()
        if let code = FolderSync.fault(of: PathParts.folder(of: destination)) { throw Self.failure(destination, code) }
        return BackupSummary(lines: standing.lines, bytes: FileStamp(path: destination)?.bytes ?? 0)
    }

    private func damaged(_ damage: DatabaseDamage) -> MillError {
        var error = MillError(
            .databaseDamaged, stage: .loading, path: path,
            what: "the copy is damaged, and so may be the database; former copies stay: \(damage.faults[0])",
            hint: ShellWords.line(["check", "--database", path]), exitStatus: .badData)
        error.databaseFault = .doubtful
        return error
    }

    /// Checks the disk space. A copy takes as many bytes as the database and its log, while the former copy still
    /// exists.
    private func checkDiskSpace(for destination: String) throws(MillError) {
        let path = RealPath.of(path)
        var space = DiskSpace()
        let bytes = ["", "-wal"].reduce(0) { $0 + (FileStamp(path: path + $1)?.bytes ?? 0) }
        space.need(bytes, for: "the copy", in: PathParts.folder(of: destination))
        try space.check(or: "or name a file on another disk")
    }

    /// Refuses to replace any file except an older copy of this database that contains no more lines. A good copy must
    /// not be replaced by a database that was emptied or exchanged.
    private func refuseOther(_ destination: String, than source: ReadOnlyDatabase) throws {
        var status = stat()
        guard stat(destination, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Self.refusal(destination, "is a folder, a pipe or a device, not a file", hint: "name a file")
        }
        guard status.st_size > 0, !replacesOthers else { return }
        let own = try ReadOnlyDatabase.explaining(path: path) { try source.queue.read(DatabaseStamp.init) }
        let former: DatabaseStamp
        do {
            former = try ReadOnlyDatabase(path: destination).queue.read(DatabaseStamp.init)
        } catch {
            throw Self.refusal(
                destination,
                "is there, and the copy would replace it: \(MillError(error, at: .reporting, path: nil).what)",
                hint: "name another file; or --replace, if it is not needed")
        }
        let fault =
            own.identity != former.identity
            ? "is a copy of another database"
            : former.lines > own.lines
                ? "holds \(former.lines) lines of archives, and the database only \(own.lines)" : nil
        if let fault {
            throw Self.refusal(
                destination, fault,
                hint: "find out what became of the database; name another file, or --replace, if it is not needed")
        }
    }

    /// Locks a database that is to be replaced, so that no run loads into it. Refuses it if there is a log beside it,
    /// which SQLite would apply to the copy.
    private static func seize(_ destination: String) throws(MillError) -> RunLock? {
        let lock = try lock(destination)
        for log in [destination + "-wal", destination + "-journal"] {
            guard let bytes = FileStamp(path: log)?.bytes, bytes > 0 else { continue }
            throw refusal(
                destination, "\(log) lies beside it and would damage the copy",
                hint: "name another file; or end the programs that use \(destination), then remove both")
        }
        return lock
    }

    private static func lock(_ destination: String) throws(MillError) -> RunLock? {
        guard FileManager.default.fileExists(atPath: destination) else { return nil }
        do throws(MillError) {
            return try RunLock(database: destination)
        } catch {
            guard error.exitStatus == .tryLater else { throw error }
            throw refusal(
                destination, "a run is loading into the file that is to be replaced",
                hint: "name another file, or remove this one when the run has ended")
        }
    }

    /// Explains an error in writing the copy, for which SQLite states only its result code.
    private static func explained(_ error: DatabaseError, _ destination: String) -> MillError {
        guard [.SQLITE_IOERR, .SQLITE_FULL].contains(error.resultCode) else {
            return ReadOnlyDatabase.explained(error, path: destination)
        }
        return refusal(
            destination, "copying the database failed: \(error.resultCode)",
            hint: "check the disk and the space left on it, and limits on the size of files (ulimit -f)", .ioError)
    }

    static func failure(_ path: String, _ code: Int32 = errno) -> MillError {
        refusal(
            path, "the copy can't be made: \(String(cString: strerror(code)))",
            hint: "check the folder, its permissions and the space left", .writing(code))
    }

    private static func refusal(
        _ path: String, _ what: String, hint: String, _ status: ExitStatus = .cannotCreate
    ) -> MillError {
        MillError(stage: .loading, path: path, what: what, hint: hint, exitStatus: status)
    }
}

/// The size of a copy: archive lines, and bytes.
package struct BackupSummary: Sendable, Hashable {
    package let lines: Int
    package let bytes: Int64
}
