internal import Foundation
internal import MillDatabase
internal import MillRun
internal import ReceiptWarehouse
internal import RunGuide
internal import StoreLoading

/// The line on a terminal that shows a command's progress. If standard error is no terminal, nothing is shown.
struct ProgressLine {
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private var isDrawn = false
    private var meter = ProgressMeter()

    /// The time between two drawings, long enough that drawing costs almost nothing.
    private static let interval = Duration.milliseconds(200)
    /// The width that is assumed if the terminal states none.
    private static let usualWidth = 80

    /// - Parameter isQuiet: whether nothing is shown, even on a terminal.
    init(isQuiet: Bool) {
        let terminal = ProcessInfo.processInfo.environment["TERM", default: "dumb"]
        isShown = !isQuiet && isatty(STDERR_FILENO) == 1 && terminal != "dumb"
    }

    /// - Parameter archives: the number of archives; nil if unknown.
    mutating func draw(_ progress: RunProgress, archives: Int?, countsReceipts: Bool = true) {
        let now = ContinuousClock.now
        guard isShown, lastDrawn.map({ now - $0 >= Self.interval }) ?? true else { return }
        lastDrawn = now
        let counts = progress.counts
        meter.add(at: now - start, lines: counts.lines, bytesAhead: progress.bytesAhead)
        var state = ProgressState()
        (state.place, state.places, state.name) = (progress.archive, archives, progress.archiveName)
        if progress.archiveBytes > 0 {
            state.share = Double(progress.consumedBytes) / Double(progress.archiveBytes)
        }
        (state.lines, state.rate, state.secondsLeft) = (counts.lines, meter.rate, meter.secondsLeft)
        if countsReceipts {
            (state.newReceipts, state.knownReceipts) = (counts.newReceipts, counts.knownReceipts)
            state.rejected = counts.rejectedLines
        }
        draw(state)
    }

    /// Shows the model that is being refreshed. Every model is drawn at once, because a single one may take minutes.
    mutating func draw(_ model: ModelProgress) {
        var state = ProgressState()
        (state.place, state.places, state.name) = (model.place, model.count, "refreshing \(model.name)")
        state.share = Double(model.place - 1) / Double(model.count)
        draw(state)
    }

    /// Shows the App Store report file that is being loaded.
    mutating func draw(reportFile name: String, place: Int, of count: Int, _ counts: ReportFileCounts) {
        var state = ProgressState()
        (state.place, state.places, state.name) = (place, count, name)
        (state.lines, state.rejected) = (counts.rows, counts.rejected)
        draw(state)
    }

    private mutating func draw(_ state: ProgressState) {
        guard isShown else { return }
        isDrawn = true
        // The width is read for each drawing, because the terminal's window may have been resized.
        let width = Console.width(of: STDERR_FILENO) ?? Self.usualWidth
        Console.draw("\r\u{1b}[2K\(ProgressText.line(state, width: width))")
    }

    /// Removes the line, so that a message can be written in its place.
    mutating func clear() {
        guard isDrawn else { return }
        (isDrawn, lastDrawn) = (false, nil)
        Console.draw("\r\u{1b}[2K")
    }
}
