internal import Foundation
internal import ReceiptPipeline

/// SIGTERM and SIGINT as a wish to stop.
///
/// A thread of its own waits for them, so that no code runs inside a signal
/// handler. A second signal ends the process at once, which loses nothing that
/// was committed.
enum StopSignals {
    /// To be called before other threads begin: they inherit the mask.
    static func make(_ stop: StopRequest) {
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
            stop.make()
            sigwait(&awaited, &signal)
            pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
            raise(signal)
        }
    }
}
