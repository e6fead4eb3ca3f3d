internal import ReceiptFormat
internal import ReportHeaders

/// A panel as a grid, with a row for each value of the series, such as a cohort, and a cell for each category, such as
/// an age.
struct HeatMap: Equatable {
    /// The maximum numbers of rows and columns. The newest months and the first ages are kept.
    static let maximum = (rows: 18, columns: 25)

    enum Cell: Equatable {
        case value(Double)
        /// The value is not known yet.
        case unknown
        /// No member of the cohort is left whose share could be known.
        case nobody
    }

    struct Row: Equatable {
        var name: DocumentText
        /// The count on which the row's first value is based; nil if the chart names no column of counts.
        var count: Double?
        var cells: [Cell]
    }

    let columns: [DocumentText]
    let rows: [Row]
    /// Number of rows with values that are not shown.
    let leftOut: Int
    /// The value with the strongest colour: the maximum value, or 1 for shares.
    let high: Double

    init(_ panel: ChartData.Panel, of data: ChartData) {
        let known = data.series.filter { panel.values[$0] != nil }
        let names = Array(Self.withMonthsBetween(known, data.seriesColumn).suffix(Self.maximum.rows))
        let shown = Set(names.flatMap { panel.values[$0, default: [:]].keys })
        let columns = Self.columns(panel.categories.filter(shown.contains), data.x)
        rows = names.map { name in
            let values = panel.values[name] ?? [:]
            var isOver = values.isEmpty
            let cells = columns.map { column -> Cell in
                guard let value = values[column] else { return isOver ? .nobody : .unknown }
                // When the retention of a cohort has fallen to 0, it has no members at later ages.
                isOver = data.isShare && value == 0
                return .value(value)
            }
            let count = columns.first.flatMap { panel.counts[name]?[$0] }
            return Row(name: name, count: count, cells: cells)
        }
        self.columns = columns
        leftOut = Set(known).subtracting(names).count
        let values = rows.flatMap(\.cells).compactMap { cell in if case .value(let value) = cell { value } else { nil }
        }
        high = data.isShare ? 1 : values.max() ?? 0
    }

    /// The categories, filled with all whole numbers between the first and the last, so that gaps are visible.
    private static func columns(_ categories: [DocumentText], _ x: ReportColumn) -> [DocumentText] {
        let numbers = categories.compactMap { Int($0.string) }
        guard x.kind == .integer, let first = numbers.min(), let last = numbers.max() else {
            return Array(categories.prefix(maximum.columns))
        }
        return (first...min(last, first + maximum.columns - 1)).map { DocumentText(String($0)) }
    }

    /// The names, filled with the months in between in which nobody began.
    private static func withMonthsBetween(_ names: [DocumentText], _ column: ReportColumn?) -> [DocumentText] {
        guard let calendar = column.flatMap(CalendarAxis.init(of:)) else { return names }
        let numbers = names.compactMap(calendar.number(of:))
        guard let first = numbers.min(), let last = numbers.max() else { return names }
        let shown = max(first, last - Double(maximum.rows - 1))
        return names.filter { calendar.number(of: $0) == nil }
            + stride(from: shown, through: last, by: 1).map { DocumentText(calendar.text(of: $0)) }
    }

    /// The value's step on the colour scale, from 0 to 9.
    func step(of value: Double) -> Int {
        high > 0 ? Int(min(9, max(0, value / high * 10))) : 0
    }
}

extension ChartDrawing {
    /// Draws a grid of cells, with a name and a count before each row.
    ///
    /// - Returns: the height of the drawing.
    func drawHeatMap(_ drawing: inout SVGDrawing) -> Double {
        let map = HeatMap(panel, of: data)
        let rowHeight = 22.0
        let counts = map.rows.map { row in
            row.cells.allSatisfy { $0 == .nobody } ? "–" : row.count.map { ChartText.number($0, isShare: false) } ?? ""
        }
        let rowTitle = ChartText.words(data.chart.series ?? "")
        let names = SVGDrawing.maximumWidth(of: map.rows.map { name(of: $0.name) } + [rowTitle])
        let left = names + SVGDrawing.maximumWidth(of: counts) + (counts.allSatisfy(\.isEmpty) ? 8 : 22)
        let top = 38.0
        let width = min((size.width - left) / Double(max(1, map.columns.count)), 64)
        drawing.text(rowTitle, 0, 28, class: "unit")
        if data.chart.count != nil { drawing.text("n", left - 8, 28, .end, class: "unit") }
        drawing.text(ChartText.words(data.x.name), left, 12, class: "unit")
        for (index, column) in map.columns.enumerated()
        where index % every(map.columns, width) == 0 {
            drawing.text(column.string, left + width * (Double(index) + 0.5), 28, .middle)
        }
        for (index, row) in map.rows.enumerated() {
            let y = top + rowHeight * Double(index)
            drawing.text(name(of: row.name), 0, y + 15)
            drawing.text(counts[index], left - 8, y + 15, .end)
            for (place, cell) in row.cells.enumerated() {
                let x = left + width * Double(place)
                draw(cell, of: row, map, map.columns[place], x, y, width, rowHeight, &drawing)
            }
        }
        return top + rowHeight * Double(map.rows.count) + 4
    }

    private func draw(
        _ cell: HeatMap.Cell, of row: HeatMap.Row, _ map: HeatMap, _ column: DocumentText, _ x: Double, _ y: Double,
        _ width: Double, _ height: Double, _ drawing: inout SVGDrawing
    ) {
        let box: KeyValuePairs = ["x": x, "y": y, "width": width - 1, "height": height - 1]
        let place = "\(name(of: row.name)), \(ChartText.words(data.x.name)) \(column)"
        switch cell {
        case .nobody: return
        case .unknown: drawing.add("rect", box, class: "unknown", title: ["\(place): not known yet"])
        case .value(let value):
            let step = map.step(of: value)
            drawing.add("rect", box, class: "fill h\(step)", title: [label(row.name, column, value)])
            // Cells that are too narrow for a percent sign show only the number.
            let texts = data.isShare ? [ChartText.percent(value), String(ChartText.percent(value).dropLast(2))] : []
            guard
                let text = (texts + (data.isShare ? [] : [ChartText.number(value, isShare: false)]))
                    .first(where: { SVGDrawing.width(of: $0) + 2 <= width })
            else { return }
            drawing.text(text, x + (width - 1) / 2, y + 15, .middle, class: "t\(step)")
        }
    }

    /// The number of columns from one heading to the next, so that headings fit side by side.
    private func every(_ columns: [DocumentText], _ width: Double) -> Int {
        max(1, Int(((SVGDrawing.maximumWidth(of: columns.map(\.string)) + 4) / width).rounded(.up)))
    }
}
