internal import Foundation
internal import MillRun
internal import MillSystem

/// One line on a terminal that shows a run's progress; off a terminal nothing is shown.
struct ProgressLine {
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?

    /// The time between two drawings, long enough for drawing to cost nothing.
    private static let interval = Duration.milliseconds(200)

    /// - Parameter isQuiet: whether nothing is shown, even on a terminal.
    init(isQuiet: Bool) {
        let terminal = ProcessInfo.processInfo.environment["TERM", default: "dumb"]
        isShown = !isQuiet && isatty(STDERR_FILENO) == 1 && terminal != "dumb"
    }

    mutating func draw(_ progress: RunProgress, archives: Int?) {
        let now = ContinuousClock.now
        guard isShown, lastDrawn.map({ now - $0 >= Self.interval }) ?? true else { return }
        lastDrawn = now
        let seconds = (now - start) / .seconds(1)
        let rate = seconds > 0 ? Double(progress.lines) / seconds : 0
        var text =
            "\(progress.archive)\(archives.map { "/\($0)" } ?? "") \(TerminalText.harmless(progress.archiveName))"
        if progress.archiveBytes > 0 {
            let share = min(1, Double(progress.consumedBytes) / Double(progress.archiveBytes))
            text += String(format: "  %3.0f %%", share * 100)
            if progress.archive == archives, share > 0.01 {
                text += String(format: "  %.0f s left", seconds * (1 - share) / share)
            }
        }
        text += String(format: "  %d lines  %.0f/s", progress.lines, rate)
        Console.draw("\r\u{1b}[2K\(text)")
    }

    /// Removes the line, so that a message can stand in its place.
    mutating func clear() {
        guard isShown, lastDrawn != nil else { return }
        lastDrawn = nil
        Console.draw("\r\u{1b}[2K")
    }
}
