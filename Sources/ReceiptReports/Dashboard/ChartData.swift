/// A report's rows by the roles that its header's chart gives to columns.
///
/// One panel for each app and environment. Amounts are summed over the columns
/// that the chart does not name; shares can't be, so each of those columns'
/// values has panels of its own. Where there are several measures, they are the
/// series; else the values of the series' column are.
struct ChartData {
    /// The values of one report that are drawn at most; rows beyond are left out.
    static let greatestPoints = 100_000
    static let othersName = "others"

    struct Panel {
        /// The values by which the panel's rows differ from those of other panels.
        var name: String
        /// Texts along the horizontal axis, in the order of the rows.
        var categories: [String] = []
        /// Values by series, then category.
        var values: [String: [String: Double]] = [:]
        fileprivate var known: Set<String> = []
        /// Categories at which a series has a row without a value.
        fileprivate var unvalued: [String: Set<String>] = [:]
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
        panelColumns = header.columns.indices.filter { column in
            let name = header.columns[column].name
            guard header.grain.contains(name), name != chart.x, hasMeasureSeries || name != chart.series else {
                return false
            }
            return measures[0].kind == .share || ["environment", "bundle_id"].contains(name)
        }
        series = hasMeasureSeries ? chart.y.map(ChartText.words) : []
        knownSeries = Set(series)
    }

    mutating func add(_ row: [ReportValue]) {
        guard let category = row[indices.x].plainText else { return }
        guard isDrawn(category) else { return isNarrowed = true }
        guard points < Self.greatestPoints else { return isCut = true }
        let key = panelColumns.map { row[$0].plainText ?? "–" }
        let panel = panelIndices[key] ?? panels.count
        if panel == panels.count {
            panelIndices[key] = panel
            panels.append(Panel(name: ""))
        }
        if panels[panel].known.insert(category).inserted { panels[panel].categories.append(category) }
        for (measure, column) in zip(chart.y, indices.y) {
            let name =
                indices.y.count > 1 ? ChartText.words(measure) : indices.series.map { row[$0].plainText ?? "–" } ?? unit
            guard let value = row[column].number else {
                panels[panel].unvalued[name, default: []].insert(category)
                continue
            }
            if knownSeries.insert(name).inserted { series.append(name) }
            panels[panel].values[name, default: [:]][category, default: 0] += value
            points += 1
        }
    }

    /// Whether a category is no date, or one within the days: a date that a wrong clock or
    /// a forger wrote would stretch the axis by centuries.
    private func isDrawn(_ category: String) -> Bool {
        guard let calendar, calendar.number(of: category) != nil else { return true }
        return category >= String(days.lowerBound.prefix(category.count))
            && category <= String(days.upperBound.prefix(category.count))
    }

    /// Names panels by the columns in which they differ, and puts those with most first.
    mutating func finish() {
        let keys = panelIndices.sorted { $0.value < $1.value }.map(\.key)
        let distinct = panelColumns.indices.filter { column in Set(keys.map { $0[column] }).count > 1 }
        for (panel, key) in keys.enumerated() { panels[panel].name = Self.name(distinct.map { key[$0] }) }
        let weights = panels.map { $0.values.values.reduce(0) { $0 + weight(of: $1.values) } }
        panels = Self.greatest(panels.count, by: weights).map { panels[$0] }
        if isSeriesOrdered { series.sort() }
    }

    /// Whether the series follow one another in time.
    var isSeriesOrdered: Bool { indices.series.map { [.month, .date].contains(header.columns[$0].kind) } ?? false }

    /// The weight of values where only the greatest can be shown: amounts count as they
    /// are, shares by their number.
    private func weight(of values: some Sequence<Double>) -> Double {
        values.reduce(0) { $0 + (isShare ? 1 : abs($1)) }
    }

    /// Indices of the greatest weights, in falling order; of equal ones the first.
    private static func greatest(_ count: Int, by weights: [Double]) -> [Int] {
        Array(weights.indices.sorted { (-weights[$0], $0) < (-weights[$1], $1) }.prefix(count))
    }

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
        let weights = series.map { name in
            panels.reduce(0) { $0 + weight(of: $1.values[name, default: [:]].values) }
        }
        let isSummed = isStacked
        let kept = Self.greatest(isSummed ? count - 1 : count, by: weights).sorted().map { series[$0] }
        let rest = series.filter { !kept.contains($0) }
        series = kept
        for panel in panels.indices {
            for name in rest {
                guard let values = panels[panel].values.removeValue(forKey: name), isSummed else { continue }
                panels[panel].values[Self.othersName, default: [:]].merge(values, uniquingKeysWith: +)
            }
        }
        if isSummed { series.append(Self.othersName) }
        return rest.count
    }

    /// Keeps, in their order, the categories of a panel that hold most.
    ///
    /// - Returns: how many were left out.
    mutating func keepCategories(_ count: Int, ofPanel index: Int) -> Int {
        let panel = panels[index]
        guard panel.categories.count > count else { return 0 }
        let weights = panel.categories.map { category in weight(of: panel.values.values.map { $0[category] ?? 0 }) }
        panels[index].categories = Self.greatest(count, by: weights).sorted().map { panel.categories[$0] }
        return panel.categories.count - count
    }

    /// Adds empty categories for bars of months or days without a row, so that lengths
    /// along the axis are lengths of time.
    ///
    /// - Parameter count: a panel that would have more categories stays as it is.
    mutating func fillCalendar(upTo count: Int) {
        guard chart.kind == .bars, let calendar else { return }
        for index in panels.indices {
            let numbers = panels[index].categories.compactMap(calendar.number(of:))
            guard let first = numbers.min(), let last = numbers.max(), last - first < Double(count) else { continue }
            let undated = panels[index].categories.filter { calendar.number(of: $0) == nil }
            panels[index].categories = undated + stride(from: first, through: last, by: 1).map(calendar.text(of:))
        }
    }

    /// Gives lines of counts a zero for each month or day between their first and last that
    /// has no row: nothing happened then. A share of nothing is none, and stays a gap, as
    /// does a row without a value, which is not known.
    ///
    /// - Parameter count: a line that would have more points stays as it is.
    mutating func fillLines(upTo count: Int) {
        guard chart.kind == .lines, isWhole, let calendar else { return }
        for index in panels.indices {
            for (name, values) in panels[index].values {
                let numbers = values.keys.compactMap(calendar.number(of:))
                guard let first = numbers.min(), let last = numbers.max(), last - first < Double(count) else {
                    continue
                }
                for category in stride(from: first, through: last, by: 1).map(calendar.text(of:))
                where values[category] == nil && panels[index].unvalued[name]?.contains(category) != true {
                    panels[index].values[name]?[category] = 0
                    if panels[index].known.insert(category).inserted { panels[index].categories.append(category) }
                }
            }
        }
    }

    /// How the horizontal axis counts time; nil where it shows something else.
    var calendar: CalendarAxis? {
        x.kind == .date ? .days : x.kind == .month ? .months : nil
    }

    /// Whether the values of several series at one category add up to something.
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
