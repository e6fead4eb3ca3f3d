internal import MillSystem

/// Aligned columns for a terminal, numbers to the right, null as `–`.
///
/// The widths come from the first rows; a longer value further down pushes its
/// line out of line. A value beyond ``greatestWidth`` is cut, and ends in `…`. Where the table is wider than the
/// terminal, each row becomes a block of lines, one per column.
struct TableFormat: ReportFormat {
    /// Rows held back to find the widths: enough for what a person reads.
    static let measuredRows = 1000

    /// Columns of a cell: digests and what details say fit. Senders choose how long an
    /// identifier is, and every other row would be padded to it.
    static let greatestWidth = 200

    /// What is written for null.
    static let nullText = "–"

    private let layout: TableLayout
    private var columns: [ReportColumn] = []
    private var heldBack: [[String]] = []
    /// Empty until the rows held back are measured; a report has a column.
    private var widths: [Int] = []
    private var isBlocks = false
    private var count = 0

    init(layout: TableLayout = TableLayout()) { self.layout = layout }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        columns = header.columns
        text += layout.bold(header.title) + "\n" + header.question + "\n\n"
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        count += 1
        let cells = values.map { value in
            guard let text = value.plainText else { return Self.nullText }
            return TerminalText.cut(
                TerminalText.harmless(TerminalText.cut(text, to: Self.greatestWidth)), to: Self.greatestWidth)
        }
        guard widths.isEmpty else { return append(cells, to: &text) }
        heldBack.append(cells)
        if heldBack.count == Self.measuredRows { release(into: &text) }
    }

    mutating func end(into text: inout String) {
        if widths.isEmpty { release(into: &text) }
        text += (count == 0 || isBlocks ? "" : "\n") + layout.faint(count == 1 ? "1 row" : "\(count) rows") + "\n"
    }

    /// Sets the widths and writes what was held back.
    private mutating func release(into text: inout String) {
        widths = columns.indices.map { index in
            ([columns[index].name] + heldBack.map { $0[index] }).map(TerminalText.width(of:)).max() ?? 0
        }
        let total = widths.reduce(0, +) + 2 * max(0, widths.count - 1)
        isBlocks = layout.width.map { total > $0 } ?? false
        if !isBlocks, !heldBack.isEmpty {
            text += layout.bold(line(columns.map(\.name))) + "\n"
            text += layout.faint(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")) + "\n"
        }
        for cells in heldBack { append(cells, to: &text) }
        heldBack = []
    }

    private func append(_ cells: [String], to text: inout String) {
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
        cells.indices.map { index in
            let isNumber = columns[index].kind.isNumber
            return !isNumber && index == cells.count - 1
                ? cells[index] : TerminalText.padded(cells[index], to: widths[index], onLeft: isNumber)
        }.joined(separator: "  ")
    }
}
