public import Foundation

/// Waits for events that other threads and processes bring about, never for a fixed time.
public enum Waiting {
    /// Asks every few milliseconds until a condition holds, or until patience ends.
    ///
    /// - Returns: whether the condition holds.
    @discardableResult
    public static func until(
        for patience: Duration = .seconds(60), _ condition: () throws -> Bool
    ) rethrows -> Bool {
        let end = ContinuousClock.now + patience
        while try !condition() {
            guard ContinuousClock.now < end else { return false }
            Thread.sleep(forTimeInterval: 0.005)
        }
        return true
    }

    /// Returns when the clock shows another second than at the call.
    public static func untilNextSecond() {
        let second = time(nil)
        until { time(nil) != second }
    }

    /// Whether a process has a file open, as /proc/PID/fd links to it (proc(5)).
    public static func isOpen(_ path: String, by process: Int32 = getpid()) -> Bool {
        let folder = "/proc/\(process)/fd"
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { descriptor in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")) == real
        }
    }

    /// The CPU time that a process has used: an instant of its work, however busy the machine is.
    public static func cpuTime(of process: Int32) -> Duration {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
