internal import Dispatch
internal import GRDB
internal import MillDatabase
internal import MillSystem

/// Interrupts what connections are doing when their time is up.
struct QueryTimeLimit {
    let seconds: Double
    private let timer: any DispatchSourceTimer
    private let interruption: Interruption
    private let end: ContinuousClock.Instant

    init(seconds: Double, on queues: [DatabaseQueue]) {
        self.seconds = seconds
        end = .now + .seconds(seconds)
        interruption = Interruption(of: queues)
        timer = DispatchSource.makeTimerSource()
        // An interrupt that falls between two calls of SQLite's is lost, so it
        // is repeated; it is the one call that another thread may make.
        timer.schedule(deadline: .now() + seconds, repeating: 0.1)
        timer.setEventHandler { [interruption] in interruption.make() }
        timer.resume()
    }

    /// Whether the time is up, should every interrupt have been lost.
    var isOver: Bool { .now > end }

    func cancel() {
        interruption.end()
        timer.cancel()
    }

    func exceeded(by report: Report) -> MillError {
        MillError(
            stage: .reporting, path: report.origin.path, what: "the query took more than \(seconds) s and was stopped",
            hint: "ask for less with --param, or allow more with --timeout", exitStatus: .tryLater)
    }
}
