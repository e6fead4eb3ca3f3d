internal import Foundation
internal import GRDB
package import MillDatabase
internal import MillSystem
internal import ReportHeaders

/// One self-contained page for a database: six figures, a line for operators and the fraud team, and a dozen charts
/// with their rows.
package struct Dashboard {
    /// The names of the reports for the page's head, for the operators' line and for the figures.
    static let coverage = "coverage"
    static let standing = "standing"
    package static let figures = "overview"
    /// Parameters that apply to the whole page, in each report that has them.
    private static let parameters = ["environment", "bundle", "from", "until", ReportCurrency.parameter]

    let catalog: ReportCatalog
    /// Names and texts of ``parameters``, in any order.
    package var settings: [(name: String, text: String)] = []
    /// Exchange rates with which amounts in other currencies are converted.
    package var rates: RateList?
    /// Seconds after which the query of one report is stopped; nil for never.
    package var timeoutSeconds: Double?

    /// - Parameter catalog: the catalog of the page's reports. A user's report replaces the built-in one of the same
    ///   name.
    package init(_ catalog: ReportCatalog) { self.catalog = catalog }

    private func checkSettings() throws {
        for setting in settings where !Self.parameters.contains(setting.name) {
            throw ReportRun.misuse(
                "the dashboard has no parameter \(setting.name)",
                hint: suggestion(for: setting.name, among: Self.parameters)
                    + "it has \(Self.parameters.joined(separator: ", "))")
        }
    }

    /// Whether amounts are converted into the page's currency.
    private func isConverted(in session: ReportSession, _ asked: String?, _ stored: String?) throws -> Bool {
        guard asked != ReportCurrency.none else { return false }
        guard rates == nil, let asked, let stored, asked != stored else { return rates != nil || stored != nil }
        return try session.read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM main.rates WHERE currency = ?)", arguments: [asked]) ?? false
        }
    }

    /// Runs the reports and writes the page.
    ///
    /// - Parameters:
    ///   - session: the database on which the reports run.
    ///   - time: the time that the page states, in milliseconds since 1970.
    ///   - warn: takes warnings about the answers.
    ///   - sink: takes the text, one report at a time. An error that it throws ends the run and is rethrown.
    /// - Throws: ``MillError`` if the database can't be read, or if a report's statement does not fit its header.
    package func write(
        in session: ReportSession, at time: Int64 = Int64(Date().timeIntervalSince1970 * 1000),
        warn: (ReportWarning) -> Void = { _ in }, to sink: (String) throws -> Void
    ) throws {
        try checkSettings()
        let panels = try catalog.panels()
        let others = [Self.coverage, Self.standing, Self.figures].compactMap { try? catalog.report(named: $0) }
        if let warning = try session.checkModels(readBy: others + panels.map(\.report)) { warn(warning) }
        let reading = try DashboardReading(self, in: session)
        try reading.checkApps(warn)
        let coverage = try reading.section(of: Self.coverage, keptRows: DashboardCoverage.maximumApps)
        let apps = try reading.countedApps()
        let head = DashboardCoverage(section: coverage, apps: apps, months: reading.months, madeAt: time)
        try sink(DashboardPage.begin(title: head.title) + head.html)
        let asked = settings.first { $0.name == ReportCurrency.parameter }?.text
        let stored = try session.read(ReportCurrency.stored)
        let figures = DashboardFigures(
            section: try reading.section(of: Self.figures, keptRows: DashboardFigures.maximumRows), apps: apps,
            chosen: (asked ?? stored).flatMap { CurrencyCode($0)?.letters }, stored: stored,
            isConverted: try isConverted(in: session, asked, stored))
        if let warning = figures.warning { warn(warning) }
        try sink(figures.html)
        try sink(
            OperatorsLine(
                section: reading.section(of: Self.standing, keptRows: 1), madeAt: time,
                unheld: reading.unheld { _ in false }
            ).html)
        try sink(DashboardPage.beginPanels)
        for (panel, report) in panels {
            let section = try reading.section(
                of: panel, in: report.name, currency: figures.currency, apps: coverage.values(of: "bundle_id").sorted())
            try sink(DashboardPage.panel(panel, section))
        }
        try sink(DashboardPage.end(timeZone: session.timeZone()))
    }
}
