package import GRDB
package import MillSystem

extension CancellationFlag {
    /// Does work on connections, and interrupts their statements when the run is cancelled.
    ///
    /// - Throws: the work's errors; for an interrupted statement, a ``MillError`` with the code
    ///   ``MillError/Code/interrupted``.
    package func interrupting<Result, Failure: Error>(
        _ queues: [DatabaseQueue], _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Interruption.during(queues, where: { self.isCancelled }, work)
    }

    /// Whether this flag has caused a failure by interrupting a statement.
    package func explains(_ failure: MillError) -> Bool { isCancelled && failure.code == .interrupted }
}
