internal import ReceiptFormat
internal import ReportHeaders

/// One panel of a chart as SVG.
struct ChartDrawing {
    struct Size: Equatable {
        var width, height: Double
        /// The size of panels side by side, which is readable on a phone, too.
        static let small = Size(width: 440, height: 250)
        /// The size of a panel that is alone on a wide page.
        static let wide = Size(width: 1060, height: 320)
    }

    let data: ChartData
    let panel: ChartData.Panel
    let size: Size
    private let shownNames: [DocumentText: String]

    init(data: ChartData, panel: ChartData.Panel, size: Size) {
        (self.data, self.panel, self.size) = (data, panel, size)
        shownNames = data.shownNames
    }

    func name(of series: DocumentText) -> String { shownNames[series] ?? series.string }

    private static let rowHeight = 20.0
    /// The maximum width of an upright bar, because a wide bar looks like a great value.
    private static let maximumColumn = 48.0

    /// - Parameters:
    ///   - id: the prefix of the identifiers of the drawing's parts, unique on a page.
    ///   - title: the subject of the drawing, for readers who can't see the drawing.
    func svg(id: String, class name: String, title: String) -> String {
        var drawing = SVGDrawing()
        var height = size.height
        switch data.chart.kind {
        case .lines: drawLines(&drawing)
        case .area: drawArea(&drawing)
        case .heat: height = drawHeatMap(&drawing)
        case .bars where isHorizontal: height = drawRows(&drawing)
        case .bars, .flows: drawColumns(&drawing)
        }
        return drawing.element(
            id: id, class: name, width: size.width, height: height, title: title, description: description)
    }

    /// The kind of chart and its maximum value, in words.
    var description: String {
        let values = data.series.flatMap { name in
            panel.categories.compactMap { category in panel.values[name]?[category].map { (name, category, $0) } }
        }
        let kinds: [ChartKind: String] = [
            .bars: "Bars", .lines: "Lines", .area: "Areas on one another", .heat: "A table in colours",
            .flows: "Bars up and down from zero",
        ]
        let shown = data.series.filter { panel.values[$0] != nil }
        var text = "\(kinds[data.chart.kind] ?? "") over \(ChartText.words(data.x.name))"
        if shown.count > 8 {
            text += ": \(name(of: shown[0])) to \(name(of: shown[shown.count - 1]))"
        } else if shown != [DocumentText(data.unit)] {
            text += ": \(shown.map(name(of:)).joined(separator: ", "))"
        }
        if let line = data.chart.line { text += "; a line for \(ChartText.words(line))" }
        if data.showsUnknown(panel), let horizon = data.together?.horizon {
            text += ". Shaded from \(horizon): not known in full"
        }
        if let maximum = values.max(by: { $0.2 < $1.2 }) {
            text += ". Maximum value: \(label(maximum.0, maximum.1, maximum.2))"
        }
        return text + ". The table holds all values."
    }

    /// The CSS class that gives a series its colour.
    static func colour(_ index: Int, of data: ChartData) -> String {
        let name = data.series[index]
        if let meant = meant[data.seriesColumn?.name ?? ""]?[name] { return meant }
        if data.seriesColumn?.name == "bundle_id", let place = data.together?.apps.firstIndex(of: name) {
            return "s\(place % 8)"
        }
        guard data.isSeriesOrdered else { return name == ChartData.othersName ? "rest" : "s\(index % 8)" }
        return "r\(data.series.count == 1 ? 7 : index * 7 / (data.series.count - 1))"
    }

    /// Colours of series that have the same meaning in every chart, by column and name. Only high severity is red.
    private static let meant: [String: [DocumentText: String]] = [
        "severity": ["high": "high", "medium": "medium", "low": "low"],
        "era": ["paid": "s0", "free": "s1", "unknown": "rest"],
    ]

    func colour(_ index: Int) -> String { Self.colour(index, of: data) }

    // MARK: Axes

    /// The part of the drawing between the axes.
    struct Frame {
        var left, right, top, bottom: Double
    }

    /// The vertical axis: its scale, lines across the frame, and its unit.
    func drawVerticalAxis(_ drawing: inout SVGDrawing, covering values: [Double]) -> (Frame, LinearScale) {
        let bottom = size.height - (isCalendar ? 26 : 42)
        let scale = LinearScale(covering: values, isWhole: data.isWhole, from: bottom, to: 24)
        let labels = scale.ticks.map { ChartText.number($0, isShare: data.isShare) }
        let frame = Frame(
            left: 10 + SVGDrawing.maximumWidth(of: labels), right: size.width - 12, top: 24, bottom: bottom)
        for (tick, label) in zip(scale.ticks, labels) {
            let y = scale.position(of: tick)
            drawing.add(
                "line", ["x1": frame.left, "y1": y, "x2": frame.right, "y2": y], class: tick == 0 ? "axis" : "grid")
            drawing.text(label, frame.left - 6, y + 4, .end)
        }
        if !panel.unit.isEmpty { drawing.text(panel.unit, 2, 12, class: "unit") }
        if !isCalendar {
            drawing.text(
                ChartText.words(data.x.name), (frame.left + frame.right) / 2, size.height - 4, .middle, class: "unit")
        }
        return (frame, scale)
    }

    var isCalendar: Bool { data.calendar != nil }

    /// Shades the days after the newest document.
    ///
    /// - Parameter start: the position at which the month or day of the newest document begins.
    func shadeUnknown(_ drawing: inout SVGDrawing, _ frame: Frame, from start: Double) {
        guard let horizon = data.together?.horizon, start < frame.right else { return }
        let left = max(start, frame.left)
        drawing.add(
            "rect", ["x": left, "y": frame.top, "width": frame.right - left, "height": frame.bottom - frame.top],
            class: "unknown", title: ["From \(horizon): not known in full"])
    }

    // MARK: Bars

    /// Whether bars are horizontal, in rows with names beside them, because names would not fit side by side. All
    /// panels are drawn in the same way, so that they can be compared.
    private var isHorizontal: Bool {
        guard data.x.kind == .text else { return false }
        return data.panels.contains { panel in
            let widest = SVGDrawing.maximumWidth(of: panel.categories.map(\.string))
            return (widest + 12) * Double(panel.categories.count) > ChartDrawing.Size.small.width - 60
        }
    }

    /// The bars at one category. They are stacked if their values add up, those below zero downwards; otherwise they
    /// are side by side.
    ///
    /// - Parameter band: the part of the category's width that bars may use.
    private func bars(at category: DocumentText, in band: ClosedRange<Double> = 0...1) -> [Bar] {
        let share = (band.upperBound - band.lowerBound) / Double(isSingle ? 1 : max(1, data.series.count))
        var (above, below) = (0.0, 0.0)
        return data.series.enumerated().compactMap { index, name in
            guard let value = panel.values[name]?[category] else { return nil }
            let sum = value < 0 ? below : above
            defer {
                if data.isStacked, value < 0 { below += value }
                if data.isStacked, value > 0 { above += value }
            }
            return Bar(
                from: sum, to: sum + value, start: band.lowerBound + (isSingle ? 0 : share * Double(index)),
                width: share, colour: "fill \(colour(index))", title: label(name, category, value))
        }
    }

    /// Whether one bar takes the whole width, because the bars at a category are stacked or no category of the panel
    /// has two bars.
    private var isSingle: Bool {
        data.isStacked
            || panel.categories.allSatisfy { category in panel.values.values.count { $0[category] != nil } < 2 }
    }

    private struct Bar {
        var from, to: Double
        /// The position and the width of the bar, across its length.
        var start, width: Double
        var colour, title: String
    }

    private func draw(_ bar: Bar, on scale: LinearScale, isUpright: Bool, _ drawing: inout SVGDrawing) {
        let ends = [scale.position(of: bar.from), scale.position(of: bar.to)]
        let (low, length) = (min(ends[0], ends[1]), abs(ends[0] - ends[1]))
        drawing.add(
            "rect",
            isUpright
                ? ["x": bar.start, "y": low, "width": bar.width, "height": length]
                : ["x": low, "y": bar.start, "width": length, "height": bar.width],
            class: bar.colour, title: isUpright ? [] : [bar.title])
    }

    private var barEnds: [Double] { panel.categories.flatMap { bars(at: $0).map(\.to) } }

    private func drawColumns(_ drawing: inout SVGDrawing) {
        let (frame, scale) = drawVerticalAxis(&drawing, covering: barEnds + panel.line.values)
        let band = (frame.right - frame.left) / Double(max(1, panel.categories.count))
        let middles = panel.categories.indices.map { frame.left + band * (Double($0) + 0.5) }
        let widest = SVGDrawing.maximumWidth(of: panel.categories.map(\.string))
        let every = max(1, Int(((widest + 10) / band).rounded(.up)))
        if let first = panel.categories.firstIndex(where: data.isUnknown) {
            shadeUnknown(&drawing, frame, from: frame.left + band * Double(first))
        }
        let half = min(band * 0.4, Self.maximumColumn / 2)
        for (index, category) in panel.categories.enumerated() {
            let middle = middles[index]
            for bar in bars(at: category, in: (middle - half)...(middle + half)) {
                draw(bar, on: scale, isUpright: true, &drawing)
            }
            if index % every == 0 { drawing.text(category.string, middle, frame.bottom + 17, .middle) }
        }
        let line = panel.categories.enumerated().compactMap { index, category -> Point? in
            panel.line[category].map { (Double(index), $0, category) }
        }
        for run in Self.runs(of: line) {
            let name = ChartText.words(data.chart.line ?? "")
            draw(
                run.map { (middles[Int($0.x)], scale.position(of: $0.y)) }, colour: "rest", name: name,
                dotTitle: [name], &drawing)
        }
        drawFields(&drawing, frame, at: zip(middles, panel.categories).map { (x: $0, category: $1) })
    }

    /// Draws one row for each category: the name, the bar, and the sum.
    ///
    /// - Returns: the height of the drawing.
    private func drawRows(_ drawing: inout SVGDrawing) -> Double {
        let most = Int(size.width * 0.42 / SVGDrawing.characterWidth)
        let names = CommonText.shortened(panel.categories.map(\.string)).map { ChartText.cut($0, to: most) }
        let left = 8 + SVGDrawing.maximumWidth(of: names)
        let top = 24.0
        let bottom = top + Self.rowHeight * Double(panel.categories.count)
        let scale = LinearScale(covering: barEnds, isWhole: data.isWhole, from: left, to: size.width - 24, steps: 3)
        drawing.text(ChartText.words(data.x.name), 0, 12, class: "unit")
        drawing.text(panel.unit, (left + size.width - 24) / 2, bottom + 34, .middle, class: "unit")
        for tick in scale.ticks {
            let x = scale.position(of: tick)
            drawing.add("line", ["x1": x, "y1": top, "x2": x, "y2": bottom], class: tick == 0 ? "axis" : "grid")
            drawing.text(ChartText.number(tick, isShare: data.isShare), x, bottom + 16, .middle)
        }
        for (index, category) in panel.categories.enumerated() {
            let top = top + Self.rowHeight * Double(index)
            drawing.text(names[index], left - 6, top + 14, .end)
            for bar in bars(at: category, in: (top + 3)...(top + Self.rowHeight - 3)) {
                draw(bar, on: scale, isUpright: false, &drawing)
            }
        }
        return bottom + 40
    }
}
