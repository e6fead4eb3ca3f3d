internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// An app in an environment that the page counts.
struct CountedApp: Hashable {
    let environment: String
    let bundle: String
    /// Whether the report `overview` counts the app: its last document is at most ``months`` older than the newest
    /// document.
    let isInFigures: Bool
    static let months = 2
}

/// The page's reports, run on the same state of a database.
struct DashboardReading {
    /// The number of months that the page shows unless parameters state others.
    private static let months: Double = 24
    /// The days around the newest day that charts show at most.
    private static let everything = Int64(-100_000)...92

    private let dashboard: Dashboard
    private let session: ReportSession
    /// The newest day of any document in the database.
    private let newest: (day: String, number: Int64)?

    /// - Parameter session: the database; all reports see the same state of it.
    /// - Throws: ``MillError`` if the database can't be read.
    init(_ dashboard: Dashboard, in session: ReportSession) throws {
        (self.dashboard, self.session) = (dashboard, session)
        try session.resume()
        newest = try session.read { connection in
            // A database of an older version may lack the views; the reports that read them then report the fault.
            guard try connection.has("apps"), try connection.has("days") else { return nil }
            let row = try Row.fetchOne(
                connection,
                sql: """
                    SELECT day, day_number FROM main.days
                    WHERE begins_ms <= (SELECT max(horizon_ms) FROM main.apps)
                    ORDER BY day_number DESC LIMIT 1
                    """)
            guard let day = row?[0] as String?, let number = row?[1] as Int64? else { return nil }
            return (day, number)
        }
    }

    /// - Parameter warn: takes warnings about apps and environments for which the database has nothing.
    func checkApps(_ warn: (ReportWarning) -> Void) throws {
        try run(Dashboard.figures, []).run.checkApps(in: session, warn)
    }

    /// - Returns: the rows of a report, without charts.
    func section(of name: String, keptRows: Int) throws -> DashboardSection {
        let (run, given) = try run(name, [])
        var header = run.report.header
        header.charts = []
        var section = DashboardSection(header, settings: given, keptRows: keptRows)
        try run.forEachRow(in: session) { section.add($0) }
        return section
    }

    /// - Parameters:
    ///   - currency: the currency whose amounts are drawn.
    ///   - apps: all apps, in the order of their colours.
    /// - Throws: ``MillError`` if the report's statement does not fit its header, or takes too long.
    func section(of panel: ReportPanel, in report: String, currency: String?, apps: [DocumentText]) throws
        -> DashboardSection
    {
        let (run, given) = try run(report, panel.settings.map { ($0.name, $0.text) })
        var header = run.header.showing(panel)
        header.title += unheld { name in run.report.parameters.contains { $0.name == name } }
        var section = DashboardSection(
            header, settings: given, days: days,
            together: ChartData.Together(currency: currency, horizon: newest?.day, apps: apps))
        try run.forEachRow(in: session) { section.add($0) }
        section.finish(hint: panel.alone)
        return section
    }

    /// What a part of the page counts beyond the page's settings, as words for its title.
    ///
    /// - Parameter hasParameter: whether a setting of the given name limits the part.
    func unheld(unless hasParameter: (String) -> Bool) -> String {
        [("bundle", "all apps"), ("environment", "all environments")].filter { name, _ in
            isNarrowed(by: name) && !hasParameter(name)
        }.map { ", " + $1 }.joined()
    }

    /// Whether a setting leaves out apps or environments.
    private func isNarrowed(by name: String) -> Bool { setting(name).map { $0 != "all" } ?? false }

    private func setting(_ name: String) -> String? { dashboard.settings.first { $0.name == name }?.text }

    /// The months that the page shows.
    var months: String? {
        guard let last = setting("until") ?? newest.map({ String($0.day.prefix(7)) }) else { return nil }
        let first = setting("from") ?? firstMonth
        return first.flatMap { $0 == "all" ? nil : "\($0) to \(last)" } ?? "until \(last)"
    }

    /// The apps that the page's reports count.
    func countedApps() throws -> [CountedApp] {
        guard let filter = StandardFilter.all.first(where: { $0.view == "apps" }) else { return [] }
        let arguments = filter.parameters.map { ($0.name, setting($0.name).databaseValue) }
        return try session.read { connection in
            guard try connection.has("apps") else { return [] }
            return try Row.fetchAll(
                connection,
                sql: """
                    SELECT environment, bundle_id, complete_month >= max(complete_month) OVER () - \(CountedApp.months)
                    FROM (\(filter.sql)) ORDER BY bundle_id, environment
                    """, arguments: StatementArguments(Dictionary(uniqueKeysWithValues: arguments))
            ).map { row in
                CountedApp(environment: row[0] ?? "", bundle: row[1] ?? "", isInFigures: row[2] ?? false)
            }
        }
    }

    private typealias Settings = [(name: String, text: String)]

    private func run(_ name: String, _ own: Settings) throws -> (run: ReportRun, given: Settings) {
        let report = try dashboard.catalog.report(named: name)
        var wanted = own + dashboard.settings
        if let first = firstMonth, !wanted.contains(where: { $0.name == "from" }) { wanted.append(("from", first)) }
        // A report of a user may lack some of the parameters.
        let given = wanted.compactMap { setting -> (name: String, text: String)? in
            guard let parameter = report.parameters.first(where: { $0.name == setting.name }) else { return nil }
            guard parameter.kind == .date || parameter.kind == .month else { return setting }
            return Self.fitted(setting, to: parameter.kind)
        }
        var run = try ReportRun(report, settings: given, today: RelativeTime.today(in: session.timeZone()))
        run.rates = dashboard.rates
        run.timeoutSeconds = dashboard.timeoutSeconds
        return (run, given)
    }

    /// The value of a setting. If a report expects days, a month becomes its first or last day; nil for all months.
    private static func fitted(
        _ setting: (name: String, text: String), to kind: ParameterKind
    ) -> (name: String, text: String)? {
        guard setting.text != "all" else { return nil }
        guard kind == .date, let month = CalendarAxis.months.number(of: DocumentText(setting.text)) else {
            return setting
        }
        let first = { (month: Double) in CalendarAxis.months.text(of: month) + "-01" }
        guard setting.name == "until" else { return (setting.name, first(month)) }
        let next = CalendarAxis.days.number(of: DocumentText(first(month + 1))) ?? 0
        return (setting.name, CalendarAxis.days.text(of: next - 1))
    }

    /// The first of the months that the page shows.
    private var firstMonth: String? {
        let last = setting("until") ?? newest?.day
        return last.map { DocumentText(String($0.prefix(7))) }.flatMap(CalendarAxis.months.number(of:)).map {
            CalendarAxis.months.text(of: $0 - (Self.months - 1))
        }
    }

    /// The days that charts show, even those of reports without parameters for months.
    private var days: ClosedRange<String> {
        let all = CalendarAxis.days(around: newest?.number, Self.everything)
        let from = setting("from") ?? firstMonth
        guard let first = from.flatMap({ CalendarAxis.months.number(of: DocumentText($0)) }) else { return all }
        let day = CalendarAxis.months.text(of: first) + "-01"
        return min(max(day, all.lowerBound), all.upperBound)...all.upperBound
    }
}
