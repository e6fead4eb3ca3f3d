internal import ReceiptFormat
internal import ReportHeaders

/// The rows and charts of a report that the page shows.
struct DashboardSection {
    /// The maximum number of rows in a table through which a reader can scroll.
    static let tableRows = 50
    /// The maximum numbers of panels side by side, of distinct colours, of bars with names and of days.
    static let maximum = (panels: 9, series: 8, categories: 24, days: 1000)
    /// The maximum number of series in a chart that shares the page's width with another chart.
    static let maximumTogether = 6

    let header: ReportHeader
    let settings: [(name: String, text: String)]
    private(set) var rows: [[ReportValue]] = []
    private(set) var rowCount = 0
    /// The report's charts, in its header's order.
    private(set) var charts: [ChartData]
    /// Sentences on values that the charts leave out or that are unknown.
    private(set) var omissions: [String] = []
    private let keptRows: Int
    private let together: ChartData.Together?

    /// - Parameters:
    ///   - days: the days that a chart over time shows.
    ///   - keptRows: the maximum number of rows that the page reads.
    init(
        _ header: ReportHeader, settings: [(name: String, text: String)] = [],
        days: ClosedRange<String> = CalendarAxis.days(around: nil, 0...0), keptRows: Int = tableRows,
        together: ChartData.Together? = nil
    ) {
        self.together = together
        self.header = header
        self.settings = settings
        self.keptRows = keptRows
        charts = header.charts.map { ChartData($0, of: header, days: days, together: together) }
    }

    mutating func add(_ row: [ReportValue]) {
        rowCount += 1
        if rows.count < keptRows { rows.append(row) }
        for index in charts.indices { charts[index].add(row) }
    }

    /// The value of a column in a row; nil if the report has no such column.
    func value(of column: String, in row: [ReportValue]) -> ReportValue? {
        header.places(of: [column]).first.map { row[$0] }
    }

    /// The distinct values of a column in the kept rows, in their order.
    func values(of column: String) -> [DocumentText] {
        var seen: Set<DocumentText> = []
        return rows.compactMap { value(of: column, in: $0)?.key }.filter { seen.insert($0).inserted }
    }

    /// Reduces the charts to a readable size.
    ///
    /// - Parameter hint: the sentence on apps that have a single series.
    mutating func finish(hint: ReportPanel.OnlySeries? = nil) {
        let raw = charts
        charts = []
        for (index, data) in raw.enumerated() {
            var data = data
            data.finish()
            if index == 0, let hint { add(hint, of: data) }
            if data.rowsInOtherCurrencies > 0, let currency = together?.currency {
                let count = data.rowsInOtherCurrencies
                let rows = count == 1 ? "1 row is" : "\(ChartText.grouped(String(count))) rows are"
                omissions.append("Drawn in \(currency) alone: \(rows) in other currencies.")
            }
            guard data.panels.isEmpty else {
                if let first = charts.first { data.follow(first) }
                shorten(&data)
                charts.append(data)
                continue
            }
            let measures = data.chart.y.map(ChartText.words).joined(separator: ", ")
            if rowCount > 0, data.isMoney, together != nil {
                omissions.append(
                    together?.currency.map { "No amount is in \($0)." }
                        ?? "No price is known: signed data states prices, and receiptmill refresh --prices takes a list."
                )
            } else if rowCount > 0 {
                omissions.append("No chart of \(measures): no row has a value to draw.")
            }
        }
        var said: Set<DocumentText> = []
        omissions.removeAll { !said.insert(DocumentText($0)).inserted }
    }

    private mutating func add(_ hint: ReportPanel.OnlySeries, of data: ChartData) {
        let isAlone = { (values: [DocumentText: [DocumentText: Double]]) in
            Array(values.keys) == [DocumentText(hint.series)]
        }
        let apps = data.panels.filter { isAlone($0.values) }.map(\.name)
        guard !apps.isEmpty else { return }
        let names = apps.map(\.string).joined(separator: ", ")
        omissions.append(apps == [""] ? hint.text : "\(names): \(hint.text)")
    }

    private mutating func shorten(_ data: inout ChartData) {
        if data.isCut {
            omissions.append("Only the first \(ChartText.grouped(String(ChartData.maximumPoints))) values are drawn.")
        }
        if data.isNarrowed {
            let length = data.calendar == .months ? 7 : 10
            let (first, last) = (data.days.lowerBound.prefix(length), data.days.upperBound.prefix(length))
            omissions.append("By \(ChartText.words(data.x.name)): only \(first) to \(last) is drawn.")
        }
        let panels = data.panels.count
        data.keepPanels(Self.maximum.panels)
        if panels > data.panels.count { omissions.append("Charts: the \(data.panels.count) with most of \(panels).") }
        guard data.chart.kind != .heat else { return noteRows(of: data) }
        let series = data.series.count
        let rest = data.keepSeries(together == nil ? Self.maximum.series : Self.maximumTogether)
        data.average()
        if rest > 0 {
            let name = ChartText.words(data.seriesColumn?.name ?? "series")
            let kept = data.isSeriesOrdered ? "newest" : data.sumsRest ? "with most" : "with most values"
            let others = !data.sumsRest ? "" : data.isShare ? ", the others averaged" : ", the others summed"
            omissions.append("By \(name): the \(series - rest) \(kept) of \(series)\(others).")
        }
        let isNamed = data.chart.kind == .bars && data.x.kind == .text
        let limit = isNamed ? Self.maximum.categories : Self.maximum.days
        let left = data.panels.indices.map { data.keepCategories(limit, ofPanel: $0) }
        if left.contains(where: { $0 > 0 }) {
            omissions.append("By \(ChartText.words(data.x.name)): at most \(limit) in a chart, those with most.")
        }
        data.fillCalendar(upTo: Self.maximum.days)
        data.fillLines(upTo: Self.maximum.days)
    }

    private mutating func noteRows(of data: ChartData) {
        guard data.panels.contains(where: { HeatMap($0, of: data).leftOut > 0 }) else { return }
        omissions.append("By \(ChartText.words(data.chart.series ?? "")): the newest \(HeatMap.maximum.rows) of each.")
    }

    /// The command that prints all rows of the report.
    var command: String {
        "receiptmill report \(header.name)" + settings.map { " \($0.name)=\($0.text)" }.joined()
    }
}
