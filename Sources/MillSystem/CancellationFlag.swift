internal import Synchronization

/// Somebody's wish that a run end early: made by a signal, asked for between
/// batches.
package final class CancellationFlag: Sendable {
    private let made = Atomic(false)

    package init() {}

    package var isMade: Bool { made.load(ordering: .relaxed) }

    package func make() { made.store(true, ordering: .relaxed) }
}
