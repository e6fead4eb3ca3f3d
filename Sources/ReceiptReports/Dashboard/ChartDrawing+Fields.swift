internal import ReceiptFormat
internal import ReportHeaders

/// The values that a chart shows at a pointer.
extension ChartDrawing {
    /// The maximum number of fields; more would be too narrow to point at.
    private static let maximumFields = 1000

    func label(_ series: DocumentText, _ category: DocumentText, _ value: Double) -> String {
        "\(data.unit ~= series ? "" : "\(name(of: series)), ")\(place(category)): \(figure(series, category, value))"
    }

    private func place(_ category: DocumentText) -> String {
        data.x.kind.isNumber ? "\(ChartText.words(data.x.name)) \(category)" : category.string
    }

    private func figure(_ series: DocumentText, _ category: DocumentText, _ value: Double) -> String {
        let count = panel.counts[series]?[category].map { ", n = " + ChartText.number($0, isShare: false) } ?? ""
        return amount(value) + count
    }

    private func amount(_ value: Double) -> String {
        let number = ChartText.number(value, isShare: data.isShare)
        return data.isShare || panel.unit.isEmpty ? number : number + " " + panel.unit
    }

    /// The values of all series at a category. A single value is on one line with the category; several follow it, one
    /// on each line.
    private func values(at category: DocumentText) -> [String] {
        let values = data.series.compactMap { name in panel.values[name]?[category].map { (name: name, value: $0) } }
        let line = panel.line[category].map { ["\(ChartText.words(data.chart.line ?? "")): \(amount($0))"] } ?? []
        let lines =
            values.count == 1 && line.isEmpty
            ? [label(values[0].name, category, values[0].value)]
            : [place(category)] + values.map { "\(name(of: $0.name)): \(figure($0.name, category, $0.value))" } + line
        return lines + (data.isUnknown(category) ? ["not known in full yet"] : [])
    }

    /// Draws an invisible field over each category, as high as the chart. Its title has the category's values, which a
    /// browser shows when the pointer rests on the field.
    ///
    /// - Parameter places: the middle of each category, from left to right.
    func drawFields(_ drawing: inout SVGDrawing, _ frame: Frame, at places: [(x: Double, category: DocumentText)]) {
        guard places.count <= Self.maximumFields else { return }
        for (index, (x, category)) in places.enumerated() {
            let left = index == 0 ? frame.left : (places[index - 1].x + x) / 2
            let right = index == places.count - 1 ? frame.right : (x + places[index + 1].x) / 2
            drawing.add(
                "rect", ["x": left, "y": frame.top, "width": right - left, "height": frame.bottom - frame.top],
                class: "field", title: values(at: category))
        }
    }
}
