/// The lines of one transaction, with limits for their number and the transaction's duration.
struct LoadWindow {
    let size: Int
    var maximumDuration = Duration.seconds(30)
    /// The number of the batch that was written last, in this window or an earlier one.
    private(set) var lastBatch = -1
    private var lines = 0
    /// The time at which the window's first lines were written; nil before that.
    private var start: ContinuousClock.Instant?

    init(size: Int) { self.size = size }

    var isFull: Bool {
        guard let start else { return false }
        return lines >= size || .now - start >= maximumDuration
    }

    mutating func add(_ lines: Int, batch: Int) {
        self.lines += lines
        lastBatch = batch
        if start == nil { start = .now }
    }

    /// Begins the next window.
    mutating func begin() { (lines, start) = (0, nil) }
}
