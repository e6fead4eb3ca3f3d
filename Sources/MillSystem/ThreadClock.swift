internal import Foundation

package enum ThreadClock {
    /// The CPU time of the calling thread in seconds; 0 if the system has no such clock.
    package static var seconds: Double {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
