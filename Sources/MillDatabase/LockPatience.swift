internal import Foundation
package import MillSystem
internal import Synchronization

/// How long a lock is waited for that another program holds in the database: SQLite's own, which is taken for each
/// transaction and is no ``RunLock``.
///
/// SQLite asks again and again whether to go on waiting (sqlite.org/c3ref/busy_handler.html).
package final class LockPatience: Sendable {
    /// As long as every connection waits.
    package static let usual = Duration.seconds(10)
    /// Between attempts.
    private static let pollMicroseconds: UInt32 = 20_000

    private let stop: CancellationFlag
    private let state = Mutex(State())

    private struct State {
        var limit = LockPatience.usual
        /// When the lock that is waited for was met.
        var start = ContinuousClock.now
    }

    /// - Parameter stop: ends a wait when it is cancelled.
    package init(stop: CancellationFlag = CancellationFlag()) {
        self.stop = stop
    }

    /// How long a lock is waited for from now on.
    package var limit: Duration {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Waits a little; false where that was long enough.
    ///
    /// - Parameter tries: how often this lock was waited for already.
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
