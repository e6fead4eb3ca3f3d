internal import Foundation
internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// Aligned columns for a terminal, numbers to the right, null as `–`.
///
/// The main columns are shown as far as they fit into a line: texts are cut first, then the last columns are left out.
/// What all rows have in common stands above them: texts of one value, and the beginning of identifiers.
/// Columns that a person has named, or all columns on demand, are shown in full; where a line would be longer than the
/// terminal is wide, each row becomes a block with a line for each column. The widths come from the first rows.
struct TableFormat: ReportFormat {
    /// Rows that are held back to measure the columns: more than a person reads.
    static let measuredRows = 1000

    /// The maximum number of characters in a cell, enough for digests and details. Strangers choose how long an
    /// identifier is, and a longer one would widen the column in every other row.
    static let maximumWidth = 200

    /// The length of a line in characters where the output is no terminal.
    static let usualWidth = 120

    /// Characters that a cut text keeps at least, so that a reader can distinguish it from others.
    private static let minimumWidth = 12

    /// The text for null.
    static let nullText = "–"

    private let layout: TableLayout
    private let choice: ColumnChoice
    private var shown: ShownRows?
    private var heldBack: [[String]] = []
    /// Widths of the columns; empty until the rows that are held back are measured.
    private var widths: [Int] = []
    private var isBlocks = false
    private var count = 0

    init(layout: TableLayout, choice: ColumnChoice) {
        self.layout = layout
        self.choice = choice
    }

    private var columns: [ReportColumn] { shown?.columns ?? [] }
    private var limit: Int { layout.width ?? Self.usualWidth }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        shown = ShownRows(header, choice)
        text += layout.bold(header.title) + "\n" + header.introduction.map { $0 + "\n" }.joined() + "\n"
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        count += 1
        guard let kept = shown?.add(values) else { return }
        let cells = zip(kept, columns).map(Self.cell)
        guard widths.isEmpty else { return append(cells, to: &text) }
        heldBack.append(cells)
        if heldBack.count == Self.measuredRows { release(into: &text) }
    }

    mutating func end(into text: inout String) {
        if let triangle = shown?.triangle {
            text += triangle.text(layout: layout, limit: limit)
        } else {
            if widths.isEmpty { release(into: &text) }
            let totals = totalRows
            if !totals.isEmpty, !isBlocks { text += layout.faint(TextColumns.rule(widths)) + "\n" }
            for row in totals { append(row, to: &text) }
            if count > 0, !isBlocks { text += "\n" }
        }
        let hint = choice == .main ? shown?.leftOut.map { "; \($0), --columns all shows all" } : nil
        text += layout.faint((count == 1 ? "1 row" : "\(count) rows") + (hint ?? "")) + "\n"
    }

    /// Amounts have the decimals of their currency, and shares are in percent. Other formats state both exactly.
    private static func cell(_ value: ReportValue, _ column: ReportColumn) -> String {
        switch value {
        case .money(let amount): return ChartText.grouped(amount.rounded.text)
        case .real(let share) where column.kind == .share && share.isFinite:
            return String(format: "%.1f %%", share * 100)
        default: break
        }
        guard let text = value.plainText else { return nullText }
        return TerminalText.cut(TerminalText.harmless(TerminalText.cut(text, to: maximumWidth)), to: maximumWidth)
    }

    private var totalRows: [[String]] {
        shown?.totalRows.map { zip($0, columns).map { value, column in value.map { Self.cell($0, column) } ?? "" } }
            ?? []
    }

    /// Measures the columns and writes the rows that were held back.
    private mutating func release(into text: inout String) {
        if choice == .main, (2..<Self.measuredRows).contains(heldBack.count) { text += takeOutWhatIsCommon() }
        widths = TextColumns.widths(of: [columns.map(\.name)] + heldBack + totalRows)
        if choice == .main { fit() }
        isBlocks = layout.width.map { TextColumns.total(widths) > $0 } ?? false && choice != .main
        if !isBlocks, !heldBack.isEmpty {
            text += layout.bold(line(columns.map(\.name))) + "\n"
            text += layout.faint(TextColumns.rule(widths)) + "\n"
        }
        for cells in heldBack { append(cells, to: &text) }
        heldBack = []
    }

    /// Removes what all rows have in common from the rows that are held back.
    ///
    /// - Returns: a line for each column whose rows have something in common, and an empty line behind them; an empty text
    ///   if there is no such column.
    private mutating func takeOutWhatIsCommon() -> String {
        var lines: [String] = []
        for index in columns.indices.reversed() where columns[index].kind == .text && columns.count > 1 {
            let name = columns[index].name
            switch CommonText(of: heldBack.map { $0[index] }) {
            case .value(let value):
                // A row of all products or stores says no more than a row.
                if !("(all)" ~= value) { lines.append("\(name): \(value)") }
                shown?.takeOut(at: index)
                for row in heldBack.indices { heldBack[row].remove(at: index) }
            case .beginning(let beginning):
                lines.append("\(name): \(beginning)…")
                for row in heldBack.indices {
                    heldBack[row][index] = CommonText.without(beginning, heldBack[row][index])
                }
            case nil: continue
            }
        }
        guard !lines.isEmpty else { return "" }
        return lines.reversed().map { layout.faint(TerminalText.cut($0, to: limit)) + "\n" }.joined() + "\n"
    }

    /// Makes lines as short as the limit: the widest texts are narrowed first, then the last columns are left out.
    private mutating func fit() {
        var fitted = widths
        while TextColumns.total(fitted) > limit {
            let widest = fitted.indices.filter { index in
                columns[index].kind == .text && fitted[index] > max(Self.minimumWidth, columns[index].name.count)
            }.max { fitted[$0] < fitted[$1] }
            if let widest {
                fitted[widest] -= 1
            } else if widths.count > 1 {
                shown?.places.removeLast()
                widths.removeLast()
                fitted = widths
            } else {
                break
            }
        }
        widths = fitted
        heldBack = heldBack.map { Array($0.prefix(widths.count)) }
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
        let columns = columns
        let texts = zip(cells, zip(columns, widths)).map { cell, place in
            place.0.kind == .text && choice == .main ? Self.cut(cell, to: place.1) : cell
        }
        return TextColumns.line(texts, widths, isRight: { columns[$0].kind.isNumber })
    }

    /// Cuts identifiers in their middle, because they begin alike and differ at their end, and other texts at the end.
    private static func cut(_ text: String, to width: Int) -> String {
        guard TerminalText.width(of: text) > width else { return text }
        let isIdentifier = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        return isIdentifier ? ChartText.cut(text, to: width) : TerminalText.cut(text, to: width)
    }
}

extension TriangleTable {
    /// The grids as aligned text.
    func text(layout: TableLayout, limit: Int) -> String {
        var text = ""
        for grid in grids() {
            if !grid.name.isEmpty {
                text += layout.bold(TerminalText.cut(TerminalText.harmless(grid.name), to: limit)) + "\n"
            }
            let rows = grid.lines.map { ([$0.name] + $0.cells).map(TerminalText.harmless) }
            let headings = ([corner] + grid.columns).map(TerminalText.harmless)
            var widths = TextColumns.widths(of: [headings] + rows)
            widths[0] = min(TableFormat.maximumWidth, widths[0])
            while widths.count > 1, TextColumns.total(widths) > limit { widths.removeLast() }
            let line = { (cells: [String]) in
                TextColumns.line(
                    [TerminalText.cut(cells[0], to: widths[0])] + cells.dropFirst(), widths, isRight: { $0 > 0 }) + "\n"
            }
            text += layout.bold(line(headings)) + layout.faint(TextColumns.rule(widths)) + "\n"
            text += rows.map(line).joined()
            let shown = widths.count - 1
            if shown < grid.columns.count {
                text += layout.faint("the first \(shown) of \(grid.columns.count) columns; --format csv has all") + "\n"
            }
            text += "\n"
        }
        return text + (isCut ? cutRemark + "\n" : "")
    }
}
