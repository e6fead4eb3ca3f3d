internal import Foundation
internal import MillSystem

/// Makes SIGTERM and SIGINT requests to stop.
///
/// A separate thread waits for the signals, so that no code runs inside a signal handler. A second signal ends the
/// process at once, which loses nothing that was committed; a message on the terminal says so after the first signal. A
/// signal within a second after the first counts as the same request: timeout(1) sends one signal to the process and
/// one to its group, and a terminal and its shell may do the same.
enum StopSignals {
    /// The time after the first signal in which further signals count as the same request.
    private static let grace = Duration.seconds(1)

    /// Has to be called before other threads are started, because new threads inherit the signal mask.
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
            confirm()
            let first = ContinuousClock.now
            repeat { sigwait(&awaited, &signal) } while ContinuousClock.now - first < grace
            pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
            raise(signal)
        }
    }

    /// Confirms Ctrl-C to the person who pressed it, since the process may need a second or two to end.
    private static func confirm() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        Console.draw(
            "\r\u{1b}[2Kreceiptmill: stopping: what is loaded is being committed; Ctrl-C again ends at once, and keeps "
                + "what is committed\n")
    }
}
