internal import Foundation
internal import MillSystem

/// SIGTERM and SIGINT as a request to stop.
///
/// A thread of its own waits for them, so that no code runs inside a signal
/// handler. A second signal ends the process at once, which loses nothing that
/// was committed. One that comes within a second of the first is the same request:
/// timeout(1) sends one to the process and one to its group, as a terminal and its
/// shell may.
enum StopSignals {
    /// Signals this long after the first are the same request.
    private static let grace = Duration.seconds(1)

    /// To be called before other threads begin: they inherit the mask.
    static func make(_ stop: CancellationFlag) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        Thread.detachNewThread {
            var awaited = awaited
            var signal: Int32 = 0
            sigwait(&awaited, &signal)
            stop.cancel()
            let first = ContinuousClock.now
            repeat { sigwait(&awaited, &signal) } while ContinuousClock.now - first < grace
            pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
            raise(signal)
        }
    }
}
