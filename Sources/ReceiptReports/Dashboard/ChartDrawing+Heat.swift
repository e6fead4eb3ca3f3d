internal import ReceiptFormat
internal import ReportHeaders

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
