internal import ReceiptFormat
internal import ReportHeaders

extension ChartDrawing {
    /// The maximum number of a line's points that are drawn as dots; more dots would touch.
    private static let maximumDots = 36

    typealias Point = (x: Double, y: Double, category: DocumentText)

    /// The points of a series from left to right. Categories that are texts are at 0, 1, 2, … along the axis.
    private func points(of series: DocumentText) -> [Point] {
        let values = panel.values[series] ?? [:]
        return panel.categories.enumerated().compactMap { index, category in
            let x =
                if let calendar = data.calendar { calendar.number(of: category) } else {
                    data.x.kind.isNumber ? Double(category.string) : Double(index)
                }
            guard let value = values[category], let x else { return nil }
            return (x, value, category)
        }.sorted { $0.x < $1.x }
    }

    func drawLines(_ drawing: inout SVGDrawing) {
        let lines = data.series.map { points(of: $0) }
        let (frame, scale) = drawVerticalAxis(&drawing, covering: lines.flatMap { $0.map(\.y) })
        let position = drawHorizontalAxis(&drawing, frame, covering: lines.flatMap { $0.map(\.x) })
        shadeUnknown(&drawing, frame, position)
        for (index, line) in lines.enumerated() {
            for run in isCalendar ? Self.runs(of: line) : [line] {
                draw(
                    run.map { (position($0.x), scale.position(of: $0.y)) }, colour: colour(index),
                    name: name(of: data.series[index]), hasDots: line.count <= Self.maximumDots, &drawing)
            }
        }
        drawFields(&drawing, frame, over: lines, position)
    }

    /// Draws an unbroken part of a line. A part of a single point is a dot in any case.
    func draw(
        _ run: [(x: Double, y: Double)], colour: String, name: String, hasDots: Bool = false, dotTitle: [String] = [],
        _ drawing: inout SVGDrawing
    ) {
        if run.count > 1 { drawing.path(SVGDrawing.path(through: run), class: "line \(colour)", title: name) }
        guard hasDots || run.count == 1 else { return }
        for point in run {
            drawing.add(
                "circle", ["cx": point.x, "cy": point.y, "r": 2.5], class: "fill \(colour)", title: dotTitle)
        }
    }

    private func drawFields(
        _ drawing: inout SVGDrawing, _ frame: Frame, over lines: [[Point]], _ position: (Double) -> Double
    ) {
        let categories = Dictionary(lines.joined().map { ($0.x, $0.category) }) { first, _ in first }
        drawFields(&drawing, frame, at: categories.sorted { $0.key < $1.key }.map { (position($0.key), $0.value) })
    }

    private func shadeUnknown(_ drawing: inout SVGDrawing, _ frame: Frame, _ position: (Double) -> Double) {
        guard let calendar = data.calendar, let horizon = data.together?.horizon, data.showsUnknown(panel),
            let number = calendar.number(of: DocumentText(String(horizon.prefix(calendar == .months ? 7 : 10))))
        else { return }
        shadeUnknown(&drawing, frame, from: position(number - 0.5))
    }

    /// The parts into which a line is broken at days, months or categories without a value.
    static func runs(of line: [Point]) -> [[Point]] {
        line.reduce(into: []) { runs, point in
            if let last = runs.last?.last, point.x - last.x <= 1 {
                runs[runs.count - 1].append(point)
            } else {
                runs.append([point])
            }
        }
    }

    func drawArea(_ drawing: inout SVGDrawing) {
        let lines = data.series.map { points(of: $0) }
        let xs = Self.withGapsClosed(Set(lines.flatMap { $0.map(\.x) }), isCalendar: isCalendar)
        var lower = [Double](repeating: 0, count: xs.count)
        let layers = lines.map { line in
            let values = Dictionary(line.map { ($0.x, $0.y) }) { first, _ in first }
            let upper = zip(xs, lower).map { $1 + (values[$0] ?? 0) }
            defer { lower = upper }
            return Array(zip(xs, upper)) + zip(xs, lower).reversed()
        }
        let (frame, scale) = drawVerticalAxis(&drawing, covering: lower)
        let position = drawHorizontalAxis(&drawing, frame, covering: xs)
        for (index, layer) in layers.enumerated() where !lines[index].isEmpty {
            let outline = layer.map { (x: position($0), y: scale.position(of: $1)) }
            drawing.path(
                SVGDrawing.path(through: outline) + "Z", class: "fill \(colour(index))",
                title: name(of: data.series[index]))
        }
        shadeUnknown(&drawing, frame, position)
        drawFields(&drawing, frame, over: lines, position)
    }

    /// The numbers, with a neighbour on either side of each gap. Nothing happened in a day or month without a row, so
    /// an area goes down to zero there.
    static func withGapsClosed(_ numbers: Set<Double>, isCalendar: Bool) -> [Double] {
        let sorted = numbers.sorted()
        guard isCalendar, let first = sorted.first, let last = sorted.last else { return sorted }
        let all = numbers.union(sorted.flatMap { [$0 - 1, $0 + 1] }).sorted()
        // A single day would have no width.
        return first == last ? all : all.filter { (first...last).contains($0) }
    }

    /// - Returns: a function that converts a number into the position at which it is drawn.
    private func drawHorizontalAxis(
        _ drawing: inout SVGDrawing, _ frame: Frame, covering numbers: [Double]
    ) -> (Double) -> Double {
        let low = numbers.min() ?? 0
        let high = numbers.max() ?? 0
        let length = frame.right - frame.left - 16
        let position = { (number: Double) in
            low == high ? (frame.left + frame.right) / 2 : frame.left + 8 + (number - low) / (high - low) * length
        }
        guard !numbers.isEmpty else { return position }
        for tick in ticks(in: low...high, length: length) {
            let x = position(tick.number)
            drawing.add("line", ["x1": x, "y1": frame.bottom, "x2": x, "y2": frame.bottom + 4], class: "axis")
            // Texts of the outermost ticks are moved inwards, because they would extend beyond the drawing.
            let half = SVGDrawing.width(of: tick.text) / 2
            drawing.text(tick.text, min(max(x, half), size.width - half), frame.bottom + 17, .middle)
        }
        return position
    }

    private func ticks(in range: ClosedRange<Double>, length: Double) -> [(number: Double, text: String)] {
        let widest = SVGDrawing.maximumWidth(of: panel.categories.map(\.string))
        let count = max(1, Int(length / (widest + 14)))
        if let calendar = data.calendar { return calendar.ticks(in: range, atMost: count) }
        guard data.x.kind.isNumber else {
            let every = max(1, (panel.categories.count + count - 1) / count)
            return stride(from: 0, to: panel.categories.count, by: every).map {
                (Double($0), panel.categories[$0].string)
            }
        }
        let scale = LinearScale(
            covering: [range.lowerBound, range.upperBound], isWhole: data.x.kind == .integer, from: 0, to: 1,
            steps: min(count, 12))
        return scale.ticks.filter(range.contains).map { ($0, ChartText.number($0, isShare: data.x.kind == .share)) }
    }
}
