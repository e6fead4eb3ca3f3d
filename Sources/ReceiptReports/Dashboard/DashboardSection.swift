/// A report's result as far as the page shows it.
struct DashboardSection {
    /// Rows of the table: what a reader may scroll through.
    static let tableRows = 50
    /// Panels beside one another, distinct colours, bars under names.
    static let greatest = (panels: 6, series: 8, categories: 24, days: 1000)

    let header: ReportHeader
    let settings: [(name: String, text: String)]
    private(set) var rows: [[ReportValue]] = []
    private(set) var rowCount = 0
    private(set) var data: ChartData?
    /// What the charts leave out, as sentences.
    private(set) var omissions: [String] = []

    /// - Parameter days: those that a chart over time shows.
    init(_ header: ReportHeader, settings: [(name: String, text: String)], days: ClosedRange<String>) {
        self.header = header
        self.settings = settings
        data = header.chart.map { ChartData($0, of: header, days: days) }
    }

    mutating func add(_ row: [ReportValue]) {
        rowCount += 1
        if rows.count < Self.tableRows { rows.append(row) }
        data?.add(row)
    }

    /// Makes the charts small enough to be read.
    mutating func finish() {
        guard var data else { return }
        data.finish()
        if data.isCut {
            omissions.append("Only the first \(ChartText.grouped(String(ChartData.greatestPoints))) values are drawn.")
        }
        if data.isNarrowed {
            let length = data.calendar == .months ? 7 : 10
            let (first, last) = (data.days.lowerBound.prefix(length), data.days.upperBound.prefix(length))
            omissions.append("By \(ChartText.words(data.x.name)): only \(first) to \(last) is drawn.")
        }
        let panels = data.panels.count
        data.keepPanels(Self.greatest.panels)
        if panels > data.panels.count { omissions.append("Charts: the \(data.panels.count) with most of \(panels).") }
        let series = data.series.count
        let rest = data.keepSeries(Self.greatest.series)
        if rest > 0 {
            let name = ChartText.words(header.chart?.series ?? "series")
            omissions.append(
                data.isStacked
                    ? "By \(name): the \(series - rest) with most of \(series), the others summed."
                    : "By \(name): the \(series - rest) with most values of \(series).")
        }
        let isNamed = data.chart.kind == .bars && data.x.kind == .text
        let limit = isNamed ? Self.greatest.categories : Self.greatest.days
        let left = data.panels.indices.map { data.keepCategories(limit, ofPanel: $0) }
        if left.contains(where: { $0 > 0 }) {
            omissions.append("By \(ChartText.words(data.x.name)): at most \(limit) in a chart, those with most.")
        }
        data.fillCalendar(upTo: Self.greatest.days)
        data.fillLines(upTo: Self.greatest.days)
        self.data = data
    }

    /// The command that prints the whole.
    var command: String {
        "receiptmill report \(header.name)" + settings.map { " --param \($0.name)=\($0.text)" }.joined()
    }
}
