internal import Synchronization

/// Somebody's wish that a run end early: made by a signal, asked for between
/// batches.
public final class CancellationFlag: Sendable {
    private let made = Atomic(false)

    public init() {}

    public var isMade: Bool { made.load(ordering: .relaxed) }

    public func make() { made.store(true, ordering: .relaxed) }
}
