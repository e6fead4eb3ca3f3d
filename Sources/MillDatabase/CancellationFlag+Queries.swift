package import GRDB
package import MillSystem

extension CancellationFlag {
    /// Does work on connections, and interrupts their statements once the run is cancelled.
    ///
    /// - Throws: what the work throws; of a statement that was interrupted a
    ///   ``MillError`` with the code ``MillError/Code/interrupted``.
    package func interrupting<Result, Failure: Error>(
        _ queues: [DatabaseQueue], _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Interruption.during(queues, where: { self.isCancelled }, work)
    }

    /// Whether a failure is that of a statement which this flag has interrupted.
    package func explains(_ failure: MillError) -> Bool { isCancelled && failure.code == .interrupted }
}
