/// The lines of one transaction.
struct LoadWindow {
    let size: Int
    var greatestDuration = Duration.seconds(30)
    /// The last batch that was written, in this window or one before.
    private(set) var lastBatch = -1
    private var lines = 0
    /// When the first lines were written.
    private var start: ContinuousClock.Instant?

    init(size: Int) { self.size = size }

    var isFull: Bool {
        guard let start else { return false }
        return lines >= size || .now - start >= greatestDuration
    }

    mutating func add(_ lines: Int, batch: Int) {
        self.lines += lines
        lastBatch = batch
        if start == nil { start = .now }
    }

    /// Begins the next window.
    mutating func begin() { (lines, start) = (0, nil) }
}
