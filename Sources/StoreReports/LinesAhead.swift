internal import MillSystem

/// The first lines below a header, read ahead, because only their numbers together show how the file writes numbers.
struct LinesAhead {
    private static let maximumCount = 1000
    /// After this number of bytes, no more lines are read ahead.
    private static let maximumBytes = 1 << 20

    /// The lines in reverse order, so that the next one is the last.
    private var lines: [ReportLines.Line] = []
    /// The error that ended the reading; the lines before it are good.
    private var failure: MillError?

    init() {}

    /// - Parameter notation: counts the numbers of the lines as evidence.
    init(
        _ all: inout ReportLines, below table: ReportTable, _ delimiter: StoreFileLine.Delimiter,
        _ notation: inout ReportNumber.Notation
    ) {
        var bytes = 0
        do throws(MillError) {
            while lines.count < Self.maximumCount, bytes < Self.maximumBytes, let next = try all.next() {
                lines.append(next)
                guard case .text(let text) = next else { continue }
                bytes += text.count
                let row = StoreFileLine(text, delimiter)
                for column in table.numbers(of: row) { notation.weigh(row.cell(column)) }
            }
        } catch {
            failure = error
        }
        lines.reverse()
    }

    /// The next line; nil if none is left.
    mutating func next() throws(MillError) -> ReportLines.Line? {
        if let next = lines.popLast() { return next }
        if let failure { throw failure }
        return nil
    }
}
