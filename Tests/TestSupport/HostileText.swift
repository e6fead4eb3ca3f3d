internal import Foundation

/// Texts on which comparison by canonical equivalence takes the square of their length.
public enum HostileText {
    /// Combining characters of two classes in the wrong order, which normalisation has to sort: half of the
    /// bytes each.
    public static func combining(bytes: Int) -> String {
        let each = bytes / 4
        return String(repeating: "\u{301}", count: each) + String(repeating: "\u{334}", count: each)
    }

    /// Seconds that this thread works on something: a busy machine is no fault of the code's.
    public static func processorTime(of work: () throws -> Void) rethrows -> Double {
        let start = now
        try work()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
