internal import ReportHeaders

/// A part of the page: a report, and the one chart of it that is shown.
struct DashboardPanel: Sendable {
    /// The identifier of the panel's element on the page.
    let id: String
    let report: String
    let title: String
    /// The sentence that stands in place of the chart where the report has no rows.
    let missing: String
    /// Values of parameters; a parameter is left out for a user's report that lacks the parameter.
    var settings: [(name: String, text: String)] = []
    /// The chart in the place of the report's own charts; left out where the report lacks one of the chart's columns.
    let chart: ReportChart
    /// Whether the column along the axis holds months, even where its type is text.
    var isByMonth = false
    var hint: Hint?

    /// A sentence for charts whose only series is the named one.
    struct Hint: Sendable {
        var series, text: String
    }

    init(
        _ id: String, of report: String, _ title: String, missing: String, _ chart: ReportChart,
        settings: [(name: String, text: String)] = [], isByMonth: Bool = false, hint: Hint? = nil
    ) {
        (self.id, self.report, self.title, self.missing, self.chart) = (id, report, title, missing, chart)
        (self.settings, self.isByMonth, self.hint) = (settings, isByMonth, hint)
    }

    /// A report's header as the panel shows it.
    func header(of header: ReportHeader) -> ReportHeader {
        var shown = header
        let names = Set(header.columns.map(\.name))
        let needed =
            [chart.x] + chart.y.filter { $0 != ReportChart.rows.name } + [chart.series, chart.count].compactMap(\.self)
        guard names.isSuperset(of: needed) else {
            shown.charts = Array(header.charts.prefix(1))
            return shown
        }
        shown.title = title
        shown.charts = [chart]
        if isByMonth, let place = shown.columns.firstIndex(where: { $0.name == chart.x }) {
            shown.columns[place].kind = .month
        }
        return shown
    }
}

extension DashboardPanel {
    private static let noSubscription = "No subscription is known in these months."
    private static let noPurchase = "No purchase is known in these months."

    /// All panels, in the order of the page.
    static let all: [DashboardPanel] = [
        DashboardPanel(
            "recurring-revenue", of: "recurring-revenue", "Recurring revenue by app", missing: noSubscription,
            ReportChart(kind: .area, x: "month", y: ["closing"], series: "bundle_id")),
        DashboardPanel(
            "movements", of: "recurring-revenue", "What moved recurring revenue", missing: noSubscription,
            ReportChart(
                kind: .lines, x: "month", y: ["new", "expansion", "reactivation", "contraction", "churn"])),
        DashboardPanel(
            "revenue", of: "revenue", "Net revenue by product", missing: noPurchase,
            ReportChart(kind: .bars, x: "month", y: ["net"], series: "product_id")),
        DashboardPanel(
            "active-subscriptions", of: "active-subscriptions", "Active subscriptions by app", missing: noSubscription,
            ReportChart(kind: .area, x: "month", y: ["active"], series: "bundle_id")),
        DashboardPanel(
            "new-subscriptions", of: "new-subscriptions", "New trials and paid subscriptions", missing: noSubscription,
            ReportChart(kind: .bars, x: "month", y: ["new_trials", "new_paid"])),
        DashboardPanel(
            "subscription-churn", of: "subscription-churn", "Paid churn by app", missing: noSubscription,
            ReportChart(kind: .lines, x: "month", y: ["churn"], series: "bundle_id", count: "active_at_start")),
        DashboardPanel(
            "subscription-retention", of: "subscription-retention", "Retention by plan", missing: noSubscription,
            ReportChart(kind: .lines, x: "period", y: ["retention"], series: "plan", count: "subscriptions")),
        DashboardPanel(
            "trial-conversion", of: "trial-conversion", "Trial conversion by app", missing: "No trial is known.",
            ReportChart(kind: .lines, x: "month", y: ["conversion"], series: "bundle_id", count: "trials")),
        DashboardPanel(
            "refunds", of: "refunds", "Refund rate by app", missing: noPurchase,
            ReportChart(kind: .lines, x: "month", y: ["refund_rate"], series: "bundle_id", count: "sales")),
        DashboardPanel(
            "freemium-migration", of: "freemium-migration", "Owners by month and era",
            missing: "No owner is known yet: no trusted receipt of production came with a device or an account.",
            ReportChart(kind: .bars, x: "cohort", y: ["owners"], series: "era"), settings: [("by", "month")],
            isByMonth: true,
            hint: Hint(
                series: "unknown",
                text: "The era of all owners is unknown. If the app once cost money, tell its first free version: "
                    + "receiptmill ingest --app BUNDLE:FIRST_FREE_VERSION.")),
        DashboardPanel(
            "fraud-signals", of: "fraud-signals", "Lines with signals of fraud, by month and severity",
            missing: "No signal of fraud is known in these months.",
            ReportChart(kind: .bars, x: "by_value", y: ["lines"], series: "severity"), settings: [("by", "month")],
            isByMonth: true),
        DashboardPanel(
            "receipts-by-month", of: "receipts-by-month", "Documents by month of creation and verdict",
            missing: "No document has been read yet.",
            ReportChart(kind: .bars, x: "month", y: ["receipts"], series: "value")),
    ]
}
