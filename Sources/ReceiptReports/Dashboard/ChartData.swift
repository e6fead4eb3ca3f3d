/// A report's rows by the roles that its header's chart gives to columns.
///
/// One panel for each app and environment. Amounts are summed over the columns
/// that the chart does not name; shares can't be, so each of those columns'
/// values has panels of its own. Where there are several measures, they are the
/// series; else the values of the series' column are.
struct ChartData {
    /// What one report may bring to a drawing; rows beyond that are not drawn.
    static let greatestPoints = 100_000
    static let othersName = "others"

    struct Panel {
        /// What the panel's rows have in common and other panels' have not.
        var name: String
        /// Texts along the horizontal axis, in the order of the rows.
        var places: [String] = []
        /// Values by series, then place.
        var values: [String: [String: Double]] = [:]
        fileprivate var known: Set<String> = []
    }

    let chart: ReportChart
    let x: ReportColumn
    let isShare: Bool
    let isWhole: Bool
    /// What the vertical axis counts.
    let unit: String
    private(set) var panels: [Panel] = []
    /// Names of series in the order of rows, or of measures.
    private(set) var series: [String] = []
    /// Whether rows were left out.
    private(set) var isCut = false
    /// Whether rows of other days than ``days`` were left out.
    private(set) var isNarrowed = false
    /// The days, or months of these, that are drawn.
    let days: ClosedRange<String>

    private let header: ReportHeader
    private let indices: (x: Int, y: [Int], series: Int?)
    private let panelColumns: [Int]
    private var panelIndices: [[String]: Int] = [:]
    private var knownSeries: Set<String> = []
    private var points = 0

    init(
        _ chart: ReportChart, of header: ReportHeader, days: ClosedRange<String> = CalendarAxis.days(around: nil, 0...0)
    ) {
        self.chart = chart
        self.days = days
        self.header = header
        let index = { (name: String) in header.columns.firstIndex { $0.name == name } ?? 0 }
        let measures = chart.y.map { header.columns[index($0)] }
        let hasMeasureSeries = chart.y.count > 1
        x = header.columns[index(chart.x)]
        isShare = measures[0].kind == .share
        isWhole = measures.allSatisfy { $0.kind == .integer }
        let name = hasMeasureSeries ? "" : ChartText.words(chart.y[0])
        unit = isShare ? name : measures[0].unit ?? name
        indices = (index(chart.x), chart.y.map(index), hasMeasureSeries ? nil : chart.series.map(index))
        let isSummed = !isShare
        panelColumns = header.columns.indices.filter { column in
            let name = header.columns[column].name
            guard header.grain.contains(name), name != chart.x, column != index(chart.x) else { return false }
            if !hasMeasureSeries, name == chart.series { return false }
            return !isSummed || ["environment", "bundle_id"].contains(name)
        }
        if hasMeasureSeries {
            series = chart.y.map(ChartText.words)
            knownSeries = Set(series)
        }
    }

    mutating func add(_ row: [ReportValue]) {
        guard let place = row[indices.x].plainText else { return }
        guard isDrawn(place) else {
            isNarrowed = true
            return
        }
        guard points < Self.greatestPoints else {
            isCut = true
            return
        }
        let key = panelColumns.map { row[$0].plainText ?? "–" }
        let panel = panelIndices[key] ?? panels.count
        if panel == panels.count {
            panelIndices[key] = panel
            panels.append(Panel(name: ""))
        }
        if panels[panel].known.insert(place).inserted { panels[panel].places.append(place) }
        for (measure, column) in zip(chart.y, indices.y) {
            guard let value = row[column].number else { continue }
            let name =
                indices.y.count > 1 ? ChartText.words(measure) : indices.series.map { row[$0].plainText ?? "–" } ?? unit
            if knownSeries.insert(name).inserted { series.append(name) }
            panels[panel].values[name, default: [:]][place, default: 0] += value
            points += 1
        }
    }

    /// Whether a place is none of time, or within the days: a date that a stranger's
    /// clock or a forger wrote would stretch the axis by centuries.
    private func isDrawn(_ place: String) -> Bool {
        guard let calendar, calendar.number(of: place) != nil else { return true }
        return place >= String(days.lowerBound.prefix(place.count))
            && place <= String(days.upperBound.prefix(place.count))
    }

    /// Names panels by what tells them apart, and puts those with most first.
    mutating func finish() {
        let keys = panelIndices.sorted { $0.value < $1.value }.map(\.key)
        let telling = panelColumns.indices.filter { column in Set(keys.map { $0[column] }).count > 1 }
        for (panel, key) in keys.enumerated() { panels[panel].name = Self.name(telling.map { key[$0] }) }
        let weights = panels.map { panel in
            panel.values.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + weight($1) } }
        }
        panels = panels.indices.sorted { (-weights[$0], $0) < (-weights[$1], $1) }.map { panels[$0] }
        if isSeriesOrdered { series.sort() }
    }

    /// Whether the series follow one another in time.
    var isSeriesOrdered: Bool { indices.series.map { [.month, .date].contains(header.columns[$0].kind) } ?? false }

    /// What a value counts for where only the greatest can be shown: amounts as
    /// they are, shares by their number.
    private func weight(_ value: Double) -> Double { isShare ? 1 : abs(value) }

    /// Product identifiers begin with their app's; once is enough.
    private static func name(_ values: [String]) -> String {
        values.filter { value in !values.contains { $0 != value && $0.hasPrefix(value + ".") } }.joined(
            separator: " · ")
    }

    /// Keeps the greatest panels, and the series that are in them.
    mutating func keepPanels(_ count: Int) {
        panels = Array(panels.prefix(count))
        series = series.filter { name in panels.contains { $0.values[name] != nil } }
    }

    /// Keeps the greatest series in their order. Of amounts that stand on one
    /// another the rest is summed; other rests are left out.
    ///
    /// - Returns: how many series are not shown by themselves.
    mutating func keepSeries(_ count: Int) -> Int {
        guard series.count > count else { return 0 }
        var weights: [String: Double] = [:]
        for panel in panels {
            for (name, values) in panel.values {
                weights[name, default: 0] += values.values.reduce(0) { $0 + weight($1) }
            }
        }
        let isSummed = isStacked
        let kept = isSummed ? count - 1 : count
        let order = series.indices.sorted {
            (-weights[series[$0], default: 0], $0) < (-weights[series[$1], default: 0], $1)
        }
        let rest = Set(order.dropFirst(kept).map { series[$0] })
        series = series.filter { !rest.contains($0) }
        for panel in panels.indices {
            var others: [String: Double] = [:]
            for name in rest {
                guard let values = panels[panel].values.removeValue(forKey: name), isSummed else { continue }
                others.merge(values, uniquingKeysWith: +)
            }
            if !others.isEmpty {
                panels[panel].values[Self.othersName, default: [:]].merge(others, uniquingKeysWith: +)
            }
        }
        if isSummed { series.append(Self.othersName) }
        return rest.count
    }

    /// Keeps, in their order, the places of a panel that hold most.
    ///
    /// - Returns: how many were left out.
    mutating func keepPlaces(_ count: Int, ofPanel index: Int) -> Int {
        let panel = panels[index]
        guard panel.places.count > count else { return 0 }
        let weights = panel.places.map { place in
            panel.values.values.reduce(0) { $0 + weight($1[place] ?? 0) }
        }
        let order = panel.places.indices.sorted { (-weights[$0], $0) < (-weights[$1], $1) }
        panels[index].places = order.prefix(count).sorted().map { panel.places[$0] }
        return panel.places.count - count
    }

    /// Gives bars of months or days that no row tells of their empty places, so
    /// that lengths along the axis are lengths of time.
    ///
    /// - Parameter count: a panel that would have more places stays as it is.
    mutating func fillCalendar(upTo count: Int) {
        guard chart.kind == .bars, let calendar else { return }
        for index in panels.indices {
            let numbers = panels[index].places.compactMap(calendar.number(of:))
            guard let first = numbers.min(), let last = numbers.max(), last - first < Double(count) else { continue }
            let undated = panels[index].places.filter { calendar.number(of: $0) == nil }
            panels[index].places = undated + stride(from: first, through: last, by: 1).map(calendar.text(of:))
        }
    }

    /// How the horizontal axis counts time; nil where it shows something else.
    var calendar: CalendarAxis? {
        switch x.kind {
        case .date: .days
        case .month: .months
        default: nil
        }
    }

    /// Whether the values of several series at one place add up to something.
    var isStacked: Bool { chart.kind == .area || (chart.kind == .bars && !isShare && indices.y.count == 1) }
}

extension ReportValue {
    /// A finite number to draw; nil for what is none.
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number) where number.isFinite: number
        default: nil
        }
    }
}
