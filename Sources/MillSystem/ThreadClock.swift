internal import Foundation

/// CPU time of the calling thread.
package enum ThreadClock {
    /// Seconds of CPU time that this thread has used.
    package static var seconds: Double {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
