internal import Foundation
internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// Aligned columns for a terminal, with numbers to the right and null as `–`.
///
/// The main columns are made to fit into a line: identifiers are cut, sentences and headings are wrapped, and at last
/// the rightmost columns are left out. Words of a report, such as kinds and reasons, are not cut. What all rows have in
/// common is printed above them: columns of a single value, and the beginning of identifiers. Columns that a person has
/// named, or all columns on request, are shown in full; if a line would be wider than the terminal, each row becomes a
/// block with a line for each column. The widths are measured on the first rows.
struct TableFormat: ReportFormat {
    /// The number of rows that are held back to measure the columns; more than a person reads.
    static let measuredRows = 1000

    /// The maximum number of characters in a cell, enough for digests and details. Strangers choose identifiers, and a
    /// longer one would widen the column in every row.
    static let maximumWidth = 200

    /// The maximum length of a line if the output is no terminal.
    static let usualWidth = 120

    /// The minimum number of characters to which the texts of a column are cut, so that they can still be
    /// distinguished.
    private enum MinimumWidth {
        static let identifiers = 12
        /// Strangers choose names of products, too, so the length of words has to be limited.
        static let words = 26
        static let sentences = 24
    }

    /// The text for null.
    static let nullText = "–"

    private let layout: TableLayout
    private let choice: ColumnChoice
    private var shown: ShownRows?
    private var heldBack: [[String]] = []
    /// Widths of the columns; empty until the held-back rows are measured.
    private var widths: [Int] = []
    /// For each column, whether it has sentences, which are wrapped if the column is narrower.
    private var hasSentences: [Bool] = []
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
        let introduction = header.introduction.flatMap { TerminalText.wrapped($0, to: limit) }
        text += layout.bold(TerminalText.harmless(header.title)) + "\n" + introduction.map { $0 + "\n" }.joined() + "\n"
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        count += 1
        guard let kept = shown?.add(values) else { return }
        let cells = zip(kept, columns).map(cell)
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

    /// Amounts have the decimals of their currency, shares are in percent, and times of the main columns end with the
    /// minute. Other formats state all of them exactly.
    private func cell(_ value: ReportValue, _ column: ReportColumn) -> String {
        switch value {
        case .money(let amount): return ChartText.grouped(amount.rounded.text)
        case .text(let time) where choice == .main && column.kind == .time && Self.isTime(time):
            return "\(time.prefix(10)) \(time.dropFirst(11).prefix(5))Z"
        case .real(let share) where column.kind == .share && share.isFinite:
            return String(format: "%.1f %%", share * 100)
        default: break
        }
        guard let text = value.plainText else { return Self.nullText }
        let cut = TerminalText.harmless(TerminalText.cut(text, to: Self.maximumWidth))
        return TerminalText.cut(cut, to: Self.maximumWidth)
    }

    /// Whether a text has three words or more. A name may have two.
    private static func isSentence(_ text: String) -> Bool { text.utf8.count { $0 == UInt8(ascii: " ") } > 1 }

    /// Whether a text is a UTC time with seconds, such as `2026-03-01T07:00:00Z`.
    private static func isTime(_ text: String) -> Bool {
        text.utf8.elementsEqual("0000-00-00T00:00:00Z".utf8) { byte, form in
            form == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == form
        }
    }

    private var totalRows: [[String]] {
        shown?.totalRows.map { zip($0, columns).map { value, column in value.map { cell($0, column) } ?? "" } }
            ?? []
    }

    /// Measures the columns and writes the rows that were held back.
    private mutating func release(into text: inout String) {
        if choice == .main, (2..<Self.measuredRows).contains(heldBack.count) { text += takeOutWhatIsCommon() }
        widths = TextColumns.widths(of: [columns.map(\.name)] + heldBack + totalRows)
        if choice == .main { fit() }
        isBlocks = layout.width.map { TextColumns.total(widths) > $0 } ?? false && choice != .main
        if !isBlocks, !heldBack.isEmpty {
            text += headings.map { layout.bold($0) + "\n" }.joined()
            text += layout.faint(TextColumns.rule(widths)) + "\n"
        }
        for cells in heldBack { append(cells, to: &text) }
        heldBack = []
    }

    /// Removes what all rows have in common from the held-back rows.
    ///
    /// - Returns: a line for each column whose rows have something in common, and then an empty line; an empty text if
    ///   there is no such column.
    private mutating func takeOutWhatIsCommon() -> String {
        var lines: [String] = []
        for index in columns.indices.reversed() where columns.count > 1 {
            let name = columns[index].name
            guard columns[index].kind == .text || heldBack.allSatisfy({ $0[index] == Self.nullText }) else { continue }
            switch CommonText(of: heldBack.map { $0[index] }) {
            case .value(let value):
                // A line for `(all)` products or stores would say nothing, and neither would one for null.
                if !("(all)" ~= value || Self.nullText ~= value) { lines.append("\(name): \(value)") }
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

    /// Shortens lines to the limit: the widest texts are narrowed first, then the rightmost columns are left out.
    private mutating func fit() {
        hasSentences = columns.indices.map { index in
            columns[index].kind == .text && heldBack.contains { Self.isSentence($0[index]) }
        }
        let cells = TextColumns.widths(of: heldBack + totalRows + [columns.map { _ in "" }])
        let minimums = zip(columns, cells.indices).map { column, index in
            max(Self.parts(of: column.name).map(\.count).max() ?? 0, minimumWidth(of: index, cells[index]))
        }
        var fitted = widths
        while TextColumns.total(fitted) > limit {
            let widest = fitted.indices.filter { fitted[$0] > minimums[$0] }.max { fitted[$0] < fitted[$1] }
            if let widest {
                fitted[widest] -= 1
            } else if widths.count > 1 {
                shown?.places.removeLast()
                widths.removeLast()
                fitted = widths
            } else {
                fitted = [max(limit, MinimumWidth.identifiers)]
                break
            }
        }
        widths = fitted
        heldBack = heldBack.map { Array($0.prefix(widths.count)) }
    }

    /// The minimum number of characters to which a column's cells are cut. Numbers and times are never cut.
    ///
    /// - Parameter width: the width of the widest cell.
    private func minimumWidth(of index: Int, _ width: Int) -> Int {
        guard columns[index].kind == .text else { return width }
        if hasSentences[index] { return min(width, MinimumWidth.sentences) }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let areWords = heldBack.allSatisfy { $0[index].utf8.count(where: digits.contains) < 6 }
        return min(width, areWords ? MinimumWidth.words : MinimumWidth.identifiers)
    }

    /// The parts between which a heading may be wrapped, each including its underscore.
    private static func parts(of name: String) -> [String] {
        let words = name.split(separator: "_")
        return words.enumerated().map { $0 < words.count - 1 ? "\($1)_" : "\($1)" }
    }

    /// The lines of the headings, aligned at the bottom.
    private var headings: [String] {
        let texts = zip(columns, widths).map { column, width in
            Self.parts(of: column.name).reduce(into: [String]()) { lines, part in
                guard let last = lines.last, last.count + part.count <= width else { return lines.append(part) }
                lines[lines.count - 1] = last + part
            }
        }
        let count = texts.map(\.count).max() ?? 0
        return (0..<count).map { number in
            line(texts.map { number < count - $0.count ? "" : $0[number - count + $0.count] })
        }
    }

    private func append(_ cells: [String], to text: inout String) {
        guard isBlocks else {
            text += lines(cells).map { $0 + "\n" }.joined()
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
        return TextColumns.line(cells, widths, isRight: { columns[$0].kind.isNumber })
    }

    /// A row as one line, or as several if a sentence is wrapped.
    private func lines(_ cells: [String]) -> [String] {
        guard choice == .main else { return [line(cells)] }
        let columns = columns
        let parts = zip(cells, columns.indices).map { cell, index in
            guard columns[index].kind == .text else { return [cell] }
            return hasSentences[index]
                ? TerminalText.wrapped(cell, to: widths[index]) : [Self.cut(cell, to: widths[index])]
        }
        return (0..<(parts.map(\.count).max() ?? 0)).map { number in
            line(parts.map { number < $0.count ? $0[number] : "" })
        }
    }

    /// Cuts identifiers in their middle, because they begin alike and differ at their end; cuts other texts at the end.
    private static func cut(_ text: String, to width: Int) -> String {
        guard TerminalText.width(of: text) > width else { return text }
        let isIdentifier = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        return isIdentifier ? ChartText.cut(text, to: width) : TerminalText.cut(text, to: width)
    }
}

extension TriangleTable {
    /// The triangle's grids as aligned text.
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
