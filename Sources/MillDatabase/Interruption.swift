package import GRDB
internal import Synchronization

/// Interrupts that come to an end: none falls on a statement after it, and the
/// connections are closed when their owner lets go of them, not when the timer does.
package final class Interruption: Sendable {
    private let queues: Mutex<[DatabaseQueue]>

    package init(of queues: [DatabaseQueue]) { self.queues = Mutex(queues) }

    package func make() {
        queues.withLock { queues in
            for queue in queues { queue.interrupt() }
        }
    }

    package func end() { queues.withLock { $0 = [] } }
}
