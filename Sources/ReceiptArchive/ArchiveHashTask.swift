internal import Foundation
package import MillSystem

/// Finds out what an archive is on a thread of its own: else the whole of the first
/// one is hashed before a second worker has anything to do.
///
/// What is found counts only of the file as it was when this began.
package final class ArchiveHashTask: Sendable {
    private let path: String
    private let stamp: FileStamp
    private let stop: CancellationFlag
    private let search = Search()
    /// Nobody waits any more for what is searched.
    private let cancellation = CancellationFlag()

    /// What both threads hold of a search.
    ///
    /// Safe to share between threads: its variables are touched under `condition` alone.
    private final class Search: @unchecked Sendable {
        let condition = NSCondition()
        var isDone = false
        var identity: ArchiveFingerprint?
        var cpuSeconds = 0.0
    }

    /// How long a stop may go unseen.
    private static let secondsBetweenLooks = 0.1

    /// - Parameters:
    ///   - path: of an archive. Nothing is read of what is no regular file, because a
    ///     pipe is read once, nor of `database`, because closing a file of its ends
    ///     SQLite's locks.
    ///   - stop: ends the waiting for what is searched.
    package init?(path: String, database: String, stop: CancellationFlag) {
        guard path != "-", let stamp = FileStamp(path: path), stamp.isRegular,
            !DatabaseName.isTaken(path, by: database)
        else { return nil }
        self.path = path
        self.stamp = stamp
        self.stop = stop
        // No thread of the pool, which may have none left for it: somebody waits for this one.
        Thread.detachNewThread { [search, cancellation] in
            let start = ThreadClock.seconds
            let identity = try? ArchiveFingerprint(of: InputFile(path: path, isFound: true, stop: cancellation))
            search.condition.lock()
            if let identity, identity.stamp == stamp, identity.bytes == stamp.bytes { search.identity = identity }
            search.cpuSeconds = ThreadClock.seconds - start
            search.isDone = true
            search.condition.broadcast()
            search.condition.unlock()
        }
    }

    /// Whoever ends the process finds nobody at work: OpenSSL takes down then what
    /// hashing needs.
    deinit {
        cancellation.cancel()
        search.condition.lock()
        while !search.isDone { search.condition.wait() }
        search.condition.unlock()
    }

    /// Bytes of the archive.
    package var bytes: Int64 { stamp.bytes }

    /// CPU seconds that the search took; zero before its end.
    package var cpuSeconds: Double {
        search.condition.lock()
        defer { search.condition.unlock() }
        return search.cpuSeconds
    }

    /// Whether an open file is the one that is searched, and as it was.
    package func isOf(_ file: InputFile) -> Bool { file.path == path && (try? file.stamp()) == stamp }

    /// Waits for what is found, but no longer than until a stop is asked for.
    ///
    /// - Throws: ``lost`` where nothing was found so far.
    package func identity() throws(MillError) -> ArchiveFingerprint {
        search.condition.lock()
        defer { search.condition.unlock() }
        while !search.isDone, !stop.isCancelled {
            _ = search.condition.wait(until: Date(timeIntervalSinceNow: Self.secondsBetweenLooks))
        }
        guard let identity = search.identity else { throw lost }
        return identity
    }

    /// Says that the archive has to be looked at again, and is never told: whoever looks
    /// will meet what is wrong with it, if anything is.
    package var lost: MillError {
        MillError(
            .fingerprintLost, stage: .reading, path: path, what: "is not what it was", exitStatus: .tryLater)
    }
}
