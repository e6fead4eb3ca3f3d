internal import Synchronization

/// A request to end a run early. A signal sets the flag, and the run reads it between batches.
package final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    package func cancel() { flag.store(true, ordering: .relaxed) }
}
