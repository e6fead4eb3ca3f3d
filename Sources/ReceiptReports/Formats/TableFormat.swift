internal import MillSystem

/// Aligned columns for a terminal, numbers to the right, null as `–`.
///
/// The main columns are shown as far as a line has room: texts are cut first, then the last columns are left out. All
/// columns, or those named, are shown as they are; where they are wider than the terminal, each row becomes a block of
/// lines, one per column. The widths come from the first rows.
struct TableFormat: ReportFormat {
    /// Rows held back to find the widths: enough for what a person reads.
    static let measuredRows = 1000

    /// Columns of a cell: digests and what details say fit. Senders choose how long an
    /// identifier is, and every other row would be padded to it.
    static let greatestWidth = 200

    /// What a line takes where no terminal says how much it has.
    static let usualWidth = 120

    /// Columns of a text that tell it from others, where there is no room for more.
    private static let leastWidth = 12

    /// What is written for null.
    static let nullText = "–"

    private let layout: TableLayout
    private let choice: ColumnChoice
    private var header: ReportHeader?
    private var totals: ColumnTotals?
    private var triangle: TriangleTable?
    /// Places of the columns that are shown.
    private var places: [Int] = []
    private var heldBack: [[String]] = []
    /// Empty until the rows held back are measured; a report has a column.
    private var widths: [Int] = []
    private var isBlocks = false
    private var count = 0

    init(layout: TableLayout = TableLayout(), choice: ColumnChoice = .main) {
        self.layout = layout
        self.choice = choice
    }

    private var columns: [ReportColumn] { places.compactMap { header?.columns[$0] } }
    private var limit: Int { layout.width ?? Self.usualWidth }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        self.header = header
        places = header.places(of: choice)
        totals = ColumnTotals(header)
        triangle = choice == .main ? TriangleTable(header) : nil
        text += layout.bold(header.title) + "\n" + header.introduction.map { $0 + "\n" }.joined() + "\n"
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        count += 1
        guard triangle == nil else {
            triangle?.add(values)
            return
        }
        totals?.add(values)
        let cells = places.map { Self.cell(values[$0]) }
        guard widths.isEmpty else { return append(cells, to: &text) }
        heldBack.append(cells)
        if heldBack.count == Self.measuredRows { release(into: &text) }
    }

    mutating func end(into text: inout String) {
        if let triangle {
            text += TriangleText(triangle, layout: layout, limit: limit).text
        } else {
            if widths.isEmpty { release(into: &text) }
            appendTotals(to: &text)
            if count > 0, !isBlocks { text += "\n" }
        }
        let all = header?.columns.count ?? 0
        let left = triangle == nil && places.count < all && choice == .main
        let hint = left ? "; \(places.count) of \(all) columns, --columns all shows all" : ""
        text += layout.faint((count == 1 ? "1 row" : "\(count) rows") + hint) + "\n"
    }

    private static func cell(_ value: ReportValue?) -> String {
        guard let text = value?.plainText else { return nullText }
        return TerminalText.cut(TerminalText.harmless(TerminalText.cut(text, to: greatestWidth)), to: greatestWidth)
    }

    /// Sets the widths and writes what was held back.
    private mutating func release(into text: inout String) {
        let totals = totals?.rows(of: places).map { $0.map { $0.map(Self.cell) ?? "" } } ?? []
        widths = places.indices.map { index in
            ([columns[index].name] + (heldBack + totals).map { $0[index] }).map(TerminalText.width(of:)).max() ?? 0
        }
        if choice == .main { fit() }
        isBlocks = layout.width.map { Self.total(widths) > $0 } ?? false && choice != .main
        if !isBlocks, !heldBack.isEmpty {
            text += layout.bold(line(columns.map(\.name))) + "\n"
            text += layout.faint(rule) + "\n"
        }
        for cells in heldBack { append(cells, to: &text) }
        heldBack = []
    }

    /// Makes lines as short as the limit: the widest texts narrower, and where that does not do, columns fewer.
    private mutating func fit() {
        var fitted = widths
        while Self.total(fitted) > limit {
            let widest = fitted.indices.filter { index in
                columns[index].kind == .text && fitted[index] > max(Self.leastWidth, columns[index].name.count)
            }.max { fitted[$0] < fitted[$1] }
            if let widest {
                fitted[widest] -= 1
            } else if places.count > 1 {
                places.removeLast()
                widths.removeLast()
                fitted = widths
            } else {
                break
            }
        }
        widths = fitted
        heldBack = heldBack.map { Array($0.prefix(places.count)) }
    }

    private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }

    private var rule: String { widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ") }

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

    private func appendTotals(to text: inout String) {
        let rows = totals?.rows(of: places) ?? []
        if !rows.isEmpty, !isBlocks { text += layout.faint(rule) + "\n" }
        for row in rows { append(row.map { $0.map(Self.cell) ?? "" }, to: &text) }
    }

    private func line(_ cells: [String]) -> String {
        let texts = cells.indices.map { index in
            let isText = columns[index].kind == .text
            let cell = isText && choice == .main ? Self.cut(cells[index], to: widths[index]) : cells[index]
            return TerminalText.padded(cell, to: widths[index], onLeft: columns[index].kind.isNumber)
        }
        return String(texts.joined(separator: "  ").trimmedAtEnd)
    }

    /// Identifiers begin alike and differ at their end: they lose their middle, words their end.
    private static func cut(_ text: String, to width: Int) -> String {
        guard TerminalText.width(of: text) > width else { return text }
        let isIdentifier = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        return isIdentifier ? ChartText.cut(text, to: width) : TerminalText.cut(text, to: width)
    }
}

/// The grids of a triangle as aligned text.
struct TriangleText {
    let text: String

    init(_ triangle: TriangleTable, layout: TableLayout, limit: Int) {
        var text = ""
        for grid in triangle.grids() {
            if !grid.name.isEmpty {
                text += layout.bold(TerminalText.cut(TerminalText.harmless(grid.name), to: limit)) + "\n"
            }
            let corner = triangle.corner
            let names = grid.lines.map { TerminalText.harmless($0.name) }
            let first = min(TableFormat.greatestWidth, ([corner] + names).map(TerminalText.width(of:)).max() ?? 0)
            let widths = grid.columns.indices.map { index in
                ([grid.columns[index]] + grid.lines.map { $0.cells[index] }).map(TerminalText.width(of:)).max() ?? 0
            }
            var total = first
            let shown = widths.prefix { width in
                total += width + 2
                return total <= limit
            }
            let line = { (name: String, cells: [String]) in
                let padded = zip(cells, shown).map { TerminalText.padded($0, to: $1, onLeft: true) }
                let start = TerminalText.padded(TerminalText.cut(name, to: first), to: first)
                return String(([start] + padded).joined(separator: "  ").trimmedAtEnd) + "\n"
            }
            text += layout.bold(line(corner, grid.columns))
            text +=
                layout.faint(([first] + shown).map { String(repeating: "─", count: $0) }.joined(separator: "  ")) + "\n"
            for (name, row) in zip(names, grid.lines) { text += line(name, row.cells) }
            if shown.count < widths.count {
                text += layout.faint("the first \(shown.count) of \(widths.count) columns; --format csv has all") + "\n"
            }
            text += "\n"
        }
        self.text = text + (triangle.isCut ? triangle.cutRemark + "\n" : "")
    }
}
