internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// A report's rows, arranged by the roles that the chart in its header gives to columns.
///
/// Each app and environment has a panel, and in charts of money each currency, so that no axis has two units. Amounts
/// are summed over the columns that the chart does not name. Shares can't be summed, so each value of a further column
/// has a panel. If there are several measures, each is a series; otherwise the values of the chart's series column are
/// the series.
///
/// On a page of many reports, each report has one panel (``Together``).
struct ChartData {
    /// The settings of a single panel for all apps, in one currency: amounts are summed, and shares are averaged,
    /// weighted by the counts on which they are based.
    struct Together {
        /// The currency whose amounts are drawn; if nil, no amounts are drawn.
        var currency: String?
        /// The day of the newest document of any app; values of later days are not known yet.
        var horizon: String?
        /// All apps, in an order that gives each app the same colour in every chart.
        var apps: [DocumentText] = []
    }

    /// The maximum number of values of a report that are drawn; further rows are left out.
    static let maximumPoints = 100_000
    static let othersName: DocumentText = "others"

    struct Panel {
        /// The values by which the panel's rows differ from rows of other panels.
        var name: DocumentText = ""
        /// The unit of the vertical axis.
        var unit = ""
        /// Texts along the horizontal axis, in the order of the rows.
        var categories: [DocumentText] = []
        /// Values by series, then category.
        var values: [DocumentText: [DocumentText: Double]] = [:]
        /// Counts on which the values are based, such as the sales of a refund rate, by series, then category.
        var counts: [DocumentText: [DocumentText: Double]] = [:]
        /// The values of the line over the flows, by category.
        var line: [DocumentText: Double] = [:]
        /// Number of rows with a value.
        fileprivate var rows = 0
        fileprivate var known: Set<DocumentText> = []
        /// For each series, the categories at which it has a row without a value.
        fileprivate var unvalued: [DocumentText: Set<DocumentText>] = [:]
    }

    let chart: ReportChart
    let x: ReportColumn
    let isShare: Bool
    let isWhole: Bool
    /// The unit of the measures. If the chart has only one series, also its name.
    let unit: String
    /// Names of the columns that divide the rows into panels.
    let panelColumns: [String]
    /// The column whose values are the series; nil if there is none.
    let seriesColumn: ReportColumn?
    private(set) var panels: [Panel] = []
    /// Names of the series, in the order of the rows, or names of the measures.
    private(set) var series: [DocumentText] = []
    /// Whether rows were left out, because there were too many.
    private(set) var isCut = false
    /// The number of rows left out because their amounts are in other currencies.
    private(set) var rowsInOtherCurrencies = 0
    /// Whether rows were left out because their days are not among ``days``.
    private(set) var isNarrowed = false
    /// The days that are drawn; for months, all days of the drawn months.
    let days: ClosedRange<String>

    private let indices: (x: Int, y: [Int?], series: Int?, count: Int?, line: Int?, panel: [Int], currency: Int?)
    private let isCounted: Bool
    let together: Together?
    /// Whether the measure is an amount in a currency.
    var isMoney: Bool { indices.currency != nil }
    /// The number of the measure's units in one unit of the axis: a column in thousandths is drawn in whole units.
    private let divisor: Double
    private var panelIndices: [[DocumentText]: Int] = [:]
    private var knownSeries: Set<DocumentText> = []
    private var points = 0

    init(
        _ chart: ReportChart, of header: ReportHeader,
        days: ClosedRange<String> = CalendarAxis.days(around: nil, 0...0), together: Together? = nil
    ) {
        self.together = together
        self.chart = chart
        self.days = days
        let index = { (name: String) in header.columns.firstIndex { $0.name == name } ?? 0 }
        let measures = chart.measures(among: header.columns)
        let hasMeasureSeries = chart.y.count > 1
        x = header.columns[index(chart.x)]
        isShare = measures[0].kind == .share
        isCounted = measures.allSatisfy { [.integer, .money].contains($0.kind) }
        divisor = measures[0].unit == "milliunits" ? 1000 : 1
        isWhole = isCounted && divisor == 1 && measures[0].kind != .money
        let name = hasMeasureSeries ? "" : ChartText.words(chart.y[0])
        unit = isShare ? name : measures[0].unit ?? name
        let isMoney = ["milliunits", "currency"].contains(measures[0].unit)
        let currencyColumn = measures[0].currencyColumn ?? (isMoney ? "currency" : nil)
        let currency = header.columns.firstIndex { $0.name == currencyColumn }
        let series = (hasMeasureSeries ? nil : chart.series.map(index)).flatMap { $0 == currency ? nil : $0 }
        let isSummed = measures[0].kind != .share && chart.kind != .heat
        let panel = header.columns.indices.filter { column in
            guard together == nil else { return false }
            let name = header.columns[column].name
            guard column != currency else { return true }
            guard header.grain.contains(name), name != chart.x, column != series else { return false }
            return !isSummed || ["environment", "bundle_id"].contains(name)
        }
        panelColumns = panel.map { header.columns[$0].name }
        seriesColumn = series.map { header.columns[$0] }
        let places = measures.map { measure in header.columns.firstIndex { $0.name == measure.name } }
        indices = (index(chart.x), places, series, chart.count.map(index), chart.line.map(index), panel, currency)
        self.series = hasMeasureSeries ? chart.y.map { DocumentText(ChartText.words($0)) } : []
        knownSeries = Set(self.series)
    }

    mutating func add(_ row: [ReportValue]) {
        guard let text = row[indices.x].key else { return }
        let category = x.kind == .time ? DocumentText(decoding: text.utf8.prefix(10)) : text
        let seriesName = indices.series.map { row[$0].key ?? "–" }
        guard isDrawn(category, calendar), isDrawn(seriesName ?? "", seriesColumn.flatMap(CalendarAxis.init(of:)))
        else { return isNarrowed = true }
        guard points < Self.maximumPoints else { return isCut = true }
        if together != nil, let currency = indices.currency,
            row[currency].key != together?.currency.map({ DocumentText($0) })
        {
            if row[currency].plainText.flatMap(CurrencyCode.init) != nil { rowsInOtherCurrencies += 1 }
            return
        }
        let key = indices.panel.map { row[$0].key ?? "–" }
        let panel = panelIndices[key] ?? panels.count
        if panel == panels.count {
            panelIndices[key] = panel
            panels.append(Panel(unit: indices.currency.map { row[$0].plainText ?? "–" } ?? unit))
        }
        if panels[panel].known.insert(category).inserted { panels[panel].categories.append(category) }
        if let value = indices.line.flatMap({ row[$0].number }) {
            panels[panel].line[category, default: 0] += value / divisor
        }
        for (measure, column) in zip(chart.y, indices.y) {
            let name = indices.y.count > 1 ? DocumentText(ChartText.words(measure)) : seriesName ?? DocumentText(unit)
            guard let value = column.map({ row[$0].number }) ?? 1 else {
                panels[panel].unvalued[name, default: []].insert(category)
                continue
            }
            let count = indices.count.flatMap { row[$0].number }
            // Without sales or customers on which it is based, a share is unknown.
            if isAveraged, count ?? 0 <= 0 { continue }
            if knownSeries.insert(name).inserted { series.append(name) }
            panels[panel].values[name, default: [:]][category, default: 0] +=
                value / divisor * (isAveraged ? count ?? 1 : 1)
            panels[panel].rows += 1
            if let count {
                panels[panel].counts[name, default: [:]][category, default: 0] += count
            }
            points += 1
        }
    }

    /// Whether a text is no date, or a date among the drawn days: a date from a wrong clock or a forger would stretch
    /// the axis by centuries.
    private func isDrawn(_ text: DocumentText, _ axis: CalendarAxis?) -> Bool {
        guard let axis, axis.number(of: text) != nil else { return true }
        let length = text.utf8.count
        return text >= DocumentText(decoding: days.lowerBound.utf8.prefix(length))
            && text <= DocumentText(decoding: days.upperBound.utf8.prefix(length))
    }

    /// Names panels by the columns in which they differ, and puts the largest panels first.
    mutating func finish() {
        let keys = panelIndices.sorted { $0.value < $1.value }.map(\.key)
        let distinct = panelColumns.indices.filter { column in Set(keys.map { $0[column] }).count > 1 }
        for (panel, key) in keys.enumerated() { panels[panel].name = Self.name(distinct.map { key[$0] }) }
        // Bars of zero length can't be seen; a line of zeros can.
        let isBars = (chart.kind == .bars || chart.kind == .flows) && !isShare
        panels.removeAll { panel in
            let isZero = panel.values.values.joined().allSatisfy { $0.value == 0 }
            return panel.values.isEmpty || (isBars && isZero && panel.line.values.allSatisfy { $0 == 0 })
        }
        let weights = panels.map { panel in
            isComparable ? panel.values.values.reduce(0) { $0 + weight(of: $1.values) } : Double(panel.rows)
        }
        panels = Self.indices(panels.count, by: weights).map { panels[$0] }
        if isSeriesOrdered { series.sort() }
        let ranks = Self.ranks[seriesColumn?.name ?? ""] ?? []
        series = ranks.filter(series.contains) + series.filter { !ranks.contains($0) }
    }

    /// The names of series as a chart shows them: without a common beginning such as `com.example.`.
    var shownNames: [DocumentText: String] {
        let names = series.filter { $0 != Self.othersName }
        return Dictionary(uniqueKeysWithValues: zip(names, CommonText.shortened(names.map(\.string))))
    }

    /// A fixed order of series by name, for some columns of series.
    static let ranks: [String: [DocumentText]] = [
        "severity": ["high", "medium", "low"], "era": ["paid", "free", "unknown"],
        // Verdicts, as in the report receipts-by-month.
        "value": ["trusted"],
    ]

    /// Whether the series are days or months, which have an order in time.
    var isSeriesOrdered: Bool { seriesColumn.flatMap(CalendarAxis.init(of:)) != nil }

    /// Whether values of two panels have the same unit and can be summed. Shares, and amounts in two currencies, can't
    /// be; then the panels with the most rows are the largest.
    private var isComparable: Bool { !isShare && (indices.currency == nil || together != nil) }

    /// Whether values are shares multiplied by the counts on which they are based, and summed, until ``average()``
    /// divides the sums.
    private var isAveraged: Bool { together != nil && isShare && indices.count != nil }

    /// Whether all series except the largest are drawn together as one.
    var sumsRest: Bool { isStacked || (together != nil && (!isShare || isAveraged)) }

    /// Divides sums of weighted shares by the counts on which the shares are based.
    mutating func average() {
        guard isAveraged else { return }
        for panel in panels.indices {
            let counts = panels[panel].counts
            for (name, sums) in panels[panel].values {
                panels[panel].values[name] = Dictionary(
                    uniqueKeysWithValues: sums.map { ($0, $1 / (counts[name]?[$0] ?? 1)) })
            }
        }
    }

    /// The weight of values, by which the largest series are chosen: the sum of amounts, or the number of shares.
    private func weight(of values: some Sequence<Double>) -> Double {
        values.reduce(0) { $0 + (isShare ? 1 : abs($1)) }
    }

    /// Indices of the largest weights, in descending order; the first of equal weights comes first.
    private static func indices(_ count: Int, by weights: [Double]) -> [Int] {
        Array(weights.indices.sorted { (-weights[$0], $0) < (-weights[$1], $1) }.prefix(count))
    }

    /// The name of a panel, from its values. The app is left out if a product's identifier begins with the app's.
    private static func name(_ values: [DocumentText]) -> DocumentText {
        let shown = values.filter { value in
            !values.contains { $0 != value && $0.utf8.starts(with: (value.string + ".").utf8) }
        }
        return DocumentText(shown.map(\.string).joined(separator: " · "))
    }

    /// Keeps the largest panels, and the series that have values in them.
    mutating func keepPanels(_ count: Int) {
        panels = Array(panels.prefix(count))
        series = series.filter { name in panels.contains { $0.values[name] != nil } }
    }

    /// Keeps the largest series in their order; if series are months or days, keeps the newest. The remaining amounts
    /// are summed if they can be stacked, otherwise left out.
    ///
    /// - Returns: how many series are not drawn separately.
    mutating func keepSeries(_ count: Int) -> Int {
        guard series.count > count else { return 0 }
        let weights = series.map { name in
            panels.reduce(0) {
                let values = (isAveraged ? $1.counts : $1.values)[name, default: [:]].values
                return $0
                    + (isAveraged ? values.reduce(0, +) : isComparable ? weight(of: values) : Double(values.count))
            }
        }
        let isSummed = sumsRest
        let most = isSummed ? count - 1 : count
        let kept =
            isSeriesOrdered
            ? Array(series.suffix(most)) : Self.indices(most, by: weights).sorted().map { series[$0] }
        let rest = series.filter { !kept.contains($0) }
        series = kept
        for panel in panels.indices {
            for name in rest {
                guard let values = panels[panel].values.removeValue(forKey: name), isSummed else { continue }
                panels[panel].values[Self.othersName, default: [:]].merge(values, uniquingKeysWith: +)
                let counts = panels[panel].counts.removeValue(forKey: name) ?? [:]
                panels[panel].counts[Self.othersName, default: [:]].merge(counts, uniquingKeysWith: +)
            }
        }
        if isSummed { series.append(Self.othersName) }
        panels.removeAll(where: \.values.isEmpty)
        return rest.count
    }

    /// Keeps the largest categories of a panel, in their order.
    ///
    /// - Returns: how many categories were left out.
    mutating func keepCategories(_ count: Int, ofPanel index: Int) -> Int {
        let panel = panels[index]
        guard panel.categories.count > count else { return 0 }
        let weights = panel.categories.map { category in weight(of: panel.values.values.map { $0[category] ?? 0 }) }
        panels[index].categories = Self.indices(count, by: weights).sorted().map { panel.categories[$0] }
        return panel.categories.count - count
    }

    /// Puts panels in the order of another chart's panels, and keeps those panels' categories.
    mutating func follow(_ other: ChartData) {
        let places = Dictionary(other.panels.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let last = other.panels.count
        panels = panels.enumerated().sorted {
            (places[$0.element.name] ?? last, $0.offset) < (places[$1.element.name] ?? last, $1.offset)
        }.map(\.element)
        guard other.x == x, calendar == nil else { return }
        for panel in panels.indices {
            guard let place = places[panels[panel].name] else { continue }
            panels[panel].categories.removeAll { !other.panels[place].categories.contains($0) }
        }
    }

    /// Sorts bars of months or days by time, and adds empty categories for months and days without a row, so that the
    /// axis is proportional to time.
    ///
    /// - Parameter count: the maximum number of categories; a panel that would exceed it gets no empty ones.
    mutating func fillCalendar(upTo count: Int) {
        guard chart.kind == .bars || chart.kind == .flows, let calendar else { return }
        for index in panels.indices {
            let numbers = panels[index].categories.compactMap(calendar.number(of:)).sorted()
            guard let first = numbers.first, let last = numbers.last else { continue }
            let undated = panels[index].categories.filter { calendar.number(of: $0) == nil }
            let drawn = last - first < Double(count) ? Array(stride(from: first, through: last, by: 1)) : numbers
            panels[index].categories = undated + drawn.map { DocumentText(calendar.text(of: $0)) }
        }
    }

    /// Adds zeros to lines of counts for each month or day without a row between their first and last, because nothing
    /// happened then. A gap stays in a line of shares, since there is no share of nothing, and at a row without a
    /// value, which is unknown.
    ///
    /// - Parameter count: the maximum number of points; a line that would exceed it is left unchanged.
    mutating func fillLines(upTo count: Int) {
        guard chart.kind == .lines, isCounted, let calendar else { return }
        for index in panels.indices {
            for (name, values) in panels[index].values {
                let numbers = values.keys.compactMap(calendar.number(of:))
                guard let first = numbers.min(), let last = numbers.max(), last - first < Double(count) else {
                    continue
                }
                for category in stride(from: first, through: last, by: 1).map({ DocumentText(calendar.text(of: $0)) })
                where values[category] == nil && panels[index].unvalued[name]?.contains(category) != true {
                    panels[index].values[name]?[category] = 0
                    if panels[index].known.insert(category).inserted { panels[index].categories.append(category) }
                }
            }
        }
    }

    /// The calendar of the horizontal axis; nil for an axis of other values.
    var calendar: CalendarAxis? { CalendarAxis(of: x) }

    /// Whether a panel shows months or days whose values are not yet completely known.
    func showsUnknown(_ panel: Panel) -> Bool {
        chart.kind != .heat && panel.values.values.joined().contains { isUnknown($0.key) }
    }

    /// Whether a category is a month or a day whose values are not yet completely known.
    func isUnknown(_ category: DocumentText) -> Bool {
        guard let calendar, let horizon = together?.horizon, calendar.number(of: category) != nil else { return false }
        return category >= DocumentText(decoding: horizon.utf8.prefix(category.utf8.count))
    }

    /// Whether the sum of several series at one category is meaningful.
    var isStacked: Bool {
        chart.kind == .area || chart.kind == .flows || (chart.kind == .bars && !isShare && indices.y.count == 1)
    }
}
