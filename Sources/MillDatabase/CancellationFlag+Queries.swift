internal import Dispatch
package import GRDB
package import MillSystem

extension CancellationFlag {
    /// Does work on connections, and interrupts their statements once it is made.
    ///
    /// SQLite takes back what an interrupted statement has written, and where that
    /// was part of a transaction, all of it.
    ///
    /// - Throws: what the work throws; of a statement that was interrupted a
    ///   ``MillError`` with the exit status ``ExitStatus/tryLater``.
    package func interrupting<Result, Failure: Error>(
        _ queues: [DatabaseQueue], _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let interruption = Interruption(of: queues)
        let timer = DispatchSource.makeTimerSource()
        // An interrupt that falls between two statements is lost, so it is repeated.
        timer.schedule(deadline: .now(), repeating: 0.1)
        timer.setEventHandler { if self.isCancelled { interruption.make() } }
        timer.resume()
        defer {
            interruption.end()
            timer.cancel()
        }
        return try work()
    }

    /// Whether a failure is that of a statement which this request has interrupted.
    package func explains(_ failure: MillError) -> Bool { isCancelled && failure.code == .interrupted }
}
