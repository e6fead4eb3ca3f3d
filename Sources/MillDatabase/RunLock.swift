internal import Foundation
package import MillSystem

/// The lock that keeps a second run from loading into a database.
///
/// A file beside the database is locked, because a lock on the database itself would be lost whenever SQLite closes the
/// file (closing any descriptor of a file releases POSIX locks). The kernel releases the lock when the process ends,
/// however it ends. The lock file is named after the database's real name, as SQLite's files are, so that a database
/// has one lock even if links lead to it.
package final class RunLock {
    private let descriptor: Int32
    private let path: String

    /// How a run waits for the end of another run.
    package struct Wait {
        /// Ends waiting when the run is cancelled.
        package let stop: CancellationFlag
        package let limit: Duration
        /// Called when waiting begins and then once a minute, with the holder of the database. The holder is nil if
        /// SQLite's lock is held by a program that is not a run.
        package let onWait: (_ holder: String?) -> Void

        package init(stop: CancellationFlag, limit: Duration, onWait: @escaping (_ holder: String?) -> Void) {
            (self.stop, self.limit, self.onWait) = (stop, limit, onWait)
        }
    }

    /// - Parameter wait: how to wait for another run's end; if nil, the initializer fails at once.
    package init(database: String, waiting wait: Wait? = nil) throws(MillError) {
        path = RealPath.of(database) + "-lock"
        let start = ContinuousClock.now
        var nextWord = start
        var looks = 0
        while true {
            let opened = try Self.open(path, database)
            guard opened >= 0 else { continue }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                if looks < Self.maximumLooks {
                    looks += 1
                    usleep(Self.lookMicroseconds)
                    continue
                }
                let now = ContinuousClock.now
                guard let wait, !wait.stop.isCancelled, now - start < wait.limit else {
                    throw Self.held(database, waited: wait == nil ? nil : now - start)
                }
                if now >= nextWord {
                    wait.onWait(Self.holder(database))
                    nextWord = now + .seconds(60)
                }
                usleep(Self.pollMicroseconds)
                continue
            }
            if Self.isSameFile(opened, path) {
                descriptor = opened
                Self.sign(opened)
                return
            }
            // The former holder removed this file after it was opened here.
            close(opened)
        }
    }

    /// Writes the process that holds the lock into the file, for messages of other runs. A file with another name or
    /// with other contents is not changed.
    private static func sign(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink == 1, status.st_size <= 16 else { return }
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The holder of the lock, a run or another command that changes the database: process, command, and time of
    /// locking, as far as known. Nil if nobody holds it.
    package static func current(of database: String) -> String? {
        let lock = RealPath.of(database) + "-lock"
        let opened = Foundation.open(lock, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        // If no run holds the lock, a shared lock is taken and released at once. A run that begins in that moment tries
        // again.
        guard flock(opened, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        let words = holder(database)
        return words.isEmpty ? "a process that is not known" : String(words.dropFirst(2).dropLast())
    }

    /// If a run was killed while it held the lock, when it took the lock, in milliseconds since 1970: the file exists,
    /// but nobody holds the lock. Nil if there is no such file.
    package static func abandoned(of database: String) -> Int64? {
        guard let file = FileStamp(path: RealPath.of(database) + "-lock"), current(of: database) == nil else {
            return nil
        }
        return Int64(file.writtenSeconds) * 1000
    }

    /// The number of immediate attempts to take a lock, and the pause between them, since ``current(of:)`` holds the
    /// lock for microseconds.
    private static let maximumLooks = 3
    private static let lookMicroseconds: UInt32 = 10_000

    /// The error for a run that finds another run active.
    package static func held(_ database: String, waited: Duration? = nil) -> MillError {
        let wait = waited.map { ", after a wait of \($0.components.seconds) s" } ?? ""
        return MillError(
            .databaseHeld, stage: .loading, path: database,
            what: "another run is loading into this database\(holder(database))\(wait)",
            hint: "try again when it has ended", exitStatus: .tryLater)
    }

    /// The holder of the lock in brackets: process, command, and time of locking. Empty if the file states no process.
    private static func holder(_ database: String) -> String {
        let lock = RealPath.of(database) + "-lock"
        let text = FileManager.default.contents(atPath: lock)
        guard
            let process = text.flatMap({
                Int32(String(decoding: $0.prefix(16), as: UTF8.self).prefix(while: \.isNumber))
            })
        else { return "" }
        var status = stat()
        let since = stat(lock, &status) == 0 ? Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)) : nil
        let parts = ["process \(process)", command(of: process), since.map { "since \($0.ISO8601Format())" }]
        return " (\(parts.compactMap(\.self).joined(separator: ", ")))"
    }

    /// Program and subcommand of a process, from Linux's `/proc`. Other arguments are left out, because they may name
    /// persons.
    private static func command(of process: Int32) -> String? {
        guard let text = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"), !text.isEmpty else {
            return nil
        }
        let words = text.split(separator: 0).prefix(2).map { String(decoding: $0, as: UTF8.self) }
        let subcommand = words.dropFirst().filter { $0.allSatisfy { $0.isLetter && $0.isASCII } }
        return ([PathParts.name(of: words[0])] + subcommand).joined(separator: " ")
    }

    /// Throws if a database's lock file can't be created, or can't be opened after a killed run has left it.
    package static func refuseUnusable(of database: String) throws(MillError) {
        let lock = RealPath.of(database) + "-lock"
        var status = stat()
        if lstat(lock, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw foreign(database, lock: lock) }
            guard faccessat(AT_FDCWD, lock, R_OK | W_OK, AT_EACCESS) == 0 else {
                throw failure(database, lock: lock, errno)
            }
        }
        guard faccessat(AT_FDCWD, PathParts.folder(of: lock), W_OK | X_OK, AT_EACCESS) == 0 else {
            throw failure(database, lock: lock, errno)
        }
    }

    /// Opens or creates the lock file; returns a negative number if the file was removed meanwhile.
    private static func open(_ path: String, _ database: String) throws(MillError) -> Int32 {
        let made = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if made >= 0 {
            give(made, to: database)
            return made
        }
        guard errno == EEXIST else { throw failure(database, lock: path, errno) }
        let opened = Foundation.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if opened < 0, errno == ENOENT { return opened }
        guard opened >= 0 || errno == ELOOP else { throw failure(database, lock: path, errno) }
        var status = stat()
        if opened >= 0, fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return opened }
        if opened >= 0 { close(opened) }
        throw foreign(database, lock: path)
    }

    /// If root has created the lock file, gives it to the database's owner, as SQLite does with its files. Otherwise
    /// the lock file of root's killed run would lock out all other users. A file that another user has created keeps
    /// its owner.
    private static func give(_ made: Int32, to database: String) {
        var owner = stat()
        var lock = stat()
        guard geteuid() == 0, stat(database, &owner) == 0, fstat(made, &lock) == 0, lock.st_nlink == 1 else { return }
        _ = fchown(made, owner.st_uid, owner.st_gid)
    }

    private static func foreign(_ database: String, lock: String) -> MillError {
        MillError(
            stage: .loading, path: database, what: "its lock \(lock) is no file of a run's, but a link or a device",
            hint: "find out who made it, then rm \(lock)", exitStatus: .cannotCreate)
    }

    private static func failure(_ database: String, lock: String, _ code: Int32) -> MillError {
        let what = String(cString: strerror(code))
        var status = stat()
        guard code == EACCES, lstat(lock, &status) == 0 else {
            return MillError(
                stage: .loading, path: database, what: "its lock \(lock) can't be made: \(what)",
                hint: "check the folder and its permissions", exitStatus: .cannotCreate)
        }
        let owner = FileOwner.name(status.st_uid)
        return MillError(
            stage: .loading, path: database, what: "its lock \(lock) can't be opened, it belongs to \(owner): \(what)",
            hint: "run as the owner of the database; if no run of \(owner)'s is at work, rm \(lock)",
            exitStatus: .cannotCreate)
    }

    /// The pause between two attempts; a blocking flock(2) could not be cancelled.
    private static let pollMicroseconds: UInt32 = 100_000

    deinit {
        unlink(path)
        close(descriptor)
    }

    private static func isSameFile(_ descriptor: Int32, _ path: String) -> Bool {
        var held = stat()
        var named = stat()
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }
}
