internal import MillSystem

/// Aligned columns for a terminal, numbers to the right, null as `–`.
///
/// The widths come from the first rows; a longer value further down is written
/// in full and pushes its line out of line. Where the table is wider than the
/// terminal, each row becomes a block of lines, one per column.
struct TableFormat: ReportFormat {
    /// Rows kept back to find the widths: enough for what a person reads.
    static let measuredRows = 1000

    private let layout: TableLayout
    private var columns: [ReportColumn] = []
    private var kept: [[String]] = []
    private var widths: [Int] = []
    private var isMeasured = false
    private var isBlocks = false
    private var count = 0

    init(layout: TableLayout = TableLayout()) { self.layout = layout }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        columns = header.columns
        text += layout.bold(header.title) + "\n" + header.question + "\n\n"
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        count += 1
        let cells = values.map { $0.plainText.map(TerminalText.harmless) ?? "–" }
        if isMeasured {
            append(cells, number: count, to: &text)
        } else {
            kept.append(cells)
            if kept.count == Self.measuredRows { release(into: &text) }
        }
    }

    mutating func end(into text: inout String) {
        if !isMeasured { release(into: &text) }
        text += (count == 0 || isBlocks ? "" : "\n") + layout.faint(count == 1 ? "1 row" : "\(count) rows") + "\n"
    }

    /// Settles the widths and writes what was kept back.
    private mutating func release(into text: inout String) {
        widths = columns.map { TerminalText.width(of: $0.name) }
        for cells in kept {
            for (index, cell) in cells.enumerated() { widths[index] = max(widths[index], TerminalText.width(of: cell)) }
        }
        let total = widths.reduce(0, +) + 2 * max(0, widths.count - 1)
        isBlocks = layout.width.map { total > $0 } ?? false
        isMeasured = true
        if !isBlocks, !kept.isEmpty {
            text += layout.bold(line(columns.map(\.name))) + "\n"
            text += layout.faint(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")) + "\n"
        }
        for (index, cells) in kept.enumerated() { append(cells, number: index + 1, to: &text) }
        kept = []
    }

    private func append(_ cells: [String], number: Int, to text: inout String) {
        guard isBlocks else {
            text += line(cells) + "\n"
            return
        }
        let width = columns.map { $0.name.count }.max() ?? 0
        for (column, cell) in zip(columns, cells) {
            text += layout.faint(TerminalText.padded(column.name, to: width)) + "  " + cell + "\n"
        }
        text += "\n"
    }

    private func line(_ cells: [String]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let isLast = index == cells.count - 1
            if columns[index].kind.isNumber {
                line += TerminalText.padded(cell, to: widths[index], onLeft: true)
            } else {
                line += isLast ? cell : TerminalText.padded(cell, to: widths[index])
            }
            if !isLast { line += "  " }
        }
        return line
    }
}
