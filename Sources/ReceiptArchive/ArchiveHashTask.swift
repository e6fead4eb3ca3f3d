internal import Foundation
package import MillSystem
internal import Synchronization

/// Hashes an archive on a thread of its own: else the whole of the first one is hashed
/// before a second worker has anything to do.
///
/// The result counts only if the file is still as it was when this began.
package final class ArchiveHashTask: Sendable {
    private let path: String
    private let stamp: FileStamp
    private let stop: CancellationFlag
    private let search = Search()
    /// Ends the search when its result is no longer needed.
    private let cancellation = CancellationFlag()

    /// What both threads share.
    private final class Search: Sendable {
        let running = DispatchGroup()
        let result = Mutex<(identity: ArchiveFingerprint?, cpuSeconds: Double)>((nil, 0))
    }

    /// How long a stop may go unseen.
    private static let secondsBetweenLooks = 0.1

    /// - Parameters:
    ///   - path: of an archive. Nothing is read of what is no regular file, because a
    ///     pipe is read once, nor of `database`, because closing a file of its ends
    ///     SQLite's locks.
    ///   - stop: ends the wait for the result.
    package init?(path: String, database: String, stop: CancellationFlag) {
        guard path != "-", let stamp = FileStamp(path: path), stamp.isRegular,
            !DatabaseName.isTaken(path, by: database)
        else { return nil }
        self.path = path
        self.stamp = stamp
        self.stop = stop
        // No thread of the pool, which may have none left: a worker waits for this one.
        search.running.enter()
        Thread.detachNewThread { [search, cancellation] in
            let start = ThreadClock.seconds
            let identity = try? ArchiveFingerprint(of: InputFile(path: path, isFound: true, stop: cancellation))
            search.result.withLock { result in
                if let identity, identity.stamp == stamp, identity.bytes == stamp.bytes { result.identity = identity }
                result.cpuSeconds = ThreadClock.seconds - start
            }
            search.running.leave()
        }
    }

    /// Waits for the thread: at the end of the process OpenSSL frees what hashing needs.
    deinit {
        cancellation.cancel()
        search.running.wait()
    }

    /// Bytes of the archive.
    package var bytes: Int64 { stamp.bytes }

    /// CPU seconds that the search took; zero before its end.
    package var cpuSeconds: Double { search.result.withLock { $0.cpuSeconds } }

    /// Whether an open file is the one that is hashed, and as it was.
    package func isOf(_ file: InputFile) -> Bool { file.path == path && (try? file.stamp()) == stamp }

    /// Waits for the result, or until the run is cancelled.
    ///
    /// - Throws: ``lost`` where nothing was found so far.
    package func identity() throws(MillError) -> ArchiveFingerprint {
        while !stop.isCancelled, search.running.wait(timeout: .now() + Self.secondsBetweenLooks) == .timedOut {}
        guard let identity = search.result.withLock(\.identity) else { throw lost }
        return identity
    }

    /// The archive has to be hashed again. The user never sees this error: what is wrong
    /// with the archive, if anything, shows then.
    package var lost: MillError {
        MillError(
            .fingerprintLost, stage: .reading, path: path, what: "is not what it was", exitStatus: .tryLater)
    }
}
