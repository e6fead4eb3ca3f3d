internal import Dispatch
package import GRDB
internal import Synchronization

/// Interrupts of statements that come to an end with the work they are for.
package enum Interruption {
    /// Does work on connections, and interrupts their statements from some time on.
    ///
    /// SQLite rolls back what an interrupted statement has written, and the
    /// transaction that it was part of.
    ///
    /// - Parameter isDue: whether to interrupt, asked every tenth of a second.
    package static func during<Result, Failure: Error>(
        _ queues: [DatabaseQueue], after seconds: Double = 0, where isDue: @escaping @Sendable () -> Bool = { true },
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let connections = Connections(queues)
        let timer = DispatchSource.makeTimerSource()
        // An interrupt that falls between two statements is lost, so it is repeated.
        timer.schedule(deadline: .now() + seconds, repeating: 0.1)
        timer.setEventHandler { if isDue() { connections.interrupt() } }
        timer.resume()
        defer {
            connections.release()
            timer.cancel()
        }
        return try work()
    }

    /// The timer may outlive the work: it then has nothing left to interrupt, and
    /// keeps no connection open.
    private final class Connections: Sendable {
        private let queues: Mutex<[DatabaseQueue]>

        init(_ queues: [DatabaseQueue]) { self.queues = Mutex(queues) }

        func interrupt() { queues.withLock { for queue in $0 { queue.interrupt() } } }

        func release() { queues.withLock { $0 = [] } }
    }
}
