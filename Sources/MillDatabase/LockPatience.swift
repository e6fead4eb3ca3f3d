internal import Foundation
package import MillSystem
internal import Synchronization

/// How long a connection waits for locks of other programs. These are SQLite's own locks for each transaction, unlike
/// ``RunLock``.
///
/// SQLite asks before each further attempt whether to continue waiting (sqlite.org/c3ref/busy_handler.html).
package final class LockPatience: Sendable {
    /// The default limit for connections.
    package static let usual = Duration.seconds(10)
    /// The pause between two attempts.
    private static let pollMicroseconds: UInt32 = 20_000

    private let stop: CancellationFlag
    private let state = Mutex(State())

    private struct State {
        var limit = LockPatience.usual
        /// When waiting for the current lock began.
        var start = ContinuousClock.now
    }

    /// - Parameter stop: ends waiting when the run is cancelled.
    package init(stop: CancellationFlag = CancellationFlag()) {
        self.stop = stop
    }

    /// The maximum time to wait for a lock, from now on.
    package var limit: Duration {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Pauses before another attempt; false once the limit is reached or the run is cancelled.
    ///
    /// - Parameter tries: the number of earlier attempts for this lock.
    package func waits(behind tries: Int) -> Bool {
        let isOver = state.withLock { state in
            if tries == 0 { state.start = .now }
            return .now - state.start >= state.limit
        }
        guard !isOver, !stop.isCancelled else { return false }
        usleep(Self.pollMicroseconds)
        return true
    }
}
