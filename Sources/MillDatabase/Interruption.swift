internal import Dispatch
package import GRDB
internal import Synchronization

/// Interrupts statements while some work is being done.
package enum Interruption {
    /// Does work on connections. After `seconds`, interrupts their statements as long as `isDue` returns true.
    ///
    /// SQLite rolls back an interrupted statement and its transaction.
    ///
    /// - Parameter isDue: whether to interrupt; called every tenth of a second.
    package static func during<Result, Failure: Error>(
        _ queues: [DatabaseQueue], after seconds: Double = 0, where isDue: @escaping @Sendable () -> Bool = { true },
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let connections = Connections(queues)
        let timer = DispatchSource.makeTimerSource()
        // An interrupt between two statements has no effect, so it is repeated.
        timer.schedule(deadline: .now() + seconds, repeating: 0.1)
        timer.setEventHandler { if isDue() { connections.interrupt() } }
        timer.resume()
        defer {
            connections.release()
            timer.cancel()
        }
        return try work()
    }

    /// Connections that are released when the work ends: the timer may outlive the work, and must neither interrupt nor
    /// retain a connection.
    private final class Connections: Sendable {
        private let queues: Mutex<[DatabaseQueue]>

        init(_ queues: [DatabaseQueue]) { self.queues = Mutex(queues) }

        func interrupt() { queues.withLock { for queue in $0 { queue.interrupt() } } }

        func release() { queues.withLock { $0 = [] } }
    }
}
