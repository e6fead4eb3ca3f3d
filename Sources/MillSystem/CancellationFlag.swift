internal import Synchronization

/// A request that a run end early: set by a signal, read between batches.
package final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    package func cancel() { flag.store(true, ordering: .relaxed) }
}
