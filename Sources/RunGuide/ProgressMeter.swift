/// Measures how fast lines are loaded and archives are read, over the last seconds: an average since the start would
/// hide that a run has become slow.
package struct ProgressMeter: Sendable {
    private struct Sample {
        let time: Duration
        let lines: Int
        /// Bytes of all archives that were still to be read; nil if unknown.
        let bytesAhead: Double?
    }

    private var samples: [Sample] = []

    /// The time over which speed is measured. There is a commit every few seconds, and each interrupts all loading for
    /// a while.
    package static let window = Duration.seconds(10)
    /// The minimum time before a speed is shown; after a shorter time, it would be the speed of single batches.
    package static let minimumTime = Duration.seconds(1)

    package init() {}

    /// - Parameters:
    ///   - time: the time since any fixed moment.
    ///   - bytesAhead: bytes of all archives that are still to be read; nil if unknown.
    package mutating func add(at time: Duration, lines: Int, bytesAhead: Double?) {
        samples.append(Sample(time: time, lines: lines, bytesAhead: bytesAhead))
        // One sample that is older than the window is kept, so that the samples cover the whole window.
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// Lines per second; nil until enough time has passed.
    package var rate: Double? {
        guard let (first, last, seconds) = ends else { return nil }
        return Double(last.lines - first.lines) / seconds
    }

    /// The seconds until all archives are read at the present speed; nil if unknown.
    package var secondsLeft: Double? {
        guard let (first, last, seconds) = ends, let before = first.bytesAhead, let ahead = last.bytesAhead,
            before > ahead
        else { return nil }
        return ahead * seconds / (before - ahead)
    }

    private var ends: (first: Sample, last: Sample, seconds: Double)? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.minimumTime else {
            return nil
        }
        return (first, last, (last.time - first.time) / .seconds(1))
    }
}
