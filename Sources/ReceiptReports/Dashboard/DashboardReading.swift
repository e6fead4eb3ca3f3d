internal import GRDB
internal import MillDatabase
internal import ReceiptFormat

/// The page's reports, run on one state of a database.
struct DashboardReading {
    private let session: ReportSession
    private let entries: [Dashboard.Entry]
    /// Those of the entries, in their order.
    private let reports: [Report]
    /// How long one report's query may take; nil for as long as it takes.
    private let timeoutSeconds: Double?
    /// The newest day that the database sees.
    private let newestDay: Int64?
    /// The newest day of each app, by environment and app.
    private let horizons: [[DocumentText]: String]

    /// Finds what the reports share.
    ///
    /// - Parameter session: one for any report.
    /// - Throws: ``MillError`` if the database can't be read, or if it takes too long.
    init(
        _ entries: [Dashboard.Entry], of catalog: ReportCatalog, in session: ReportSession, timeoutSeconds: Double?
    ) throws {
        self.entries = entries
        self.session = session
        self.timeoutSeconds = timeoutSeconds
        reports = try entries.map { try catalog.report(named: $0.report) }
        try session.resume()
        let seen = try session.queue.inDatabase { connection in
            // Where an older version's database lacks it, the reports that read it say so.
            guard try connection.has("apps"), try connection.has("days") else { return [Row]() }
            return try Row.fetchAll(
                connection,
                sql: """
                    SELECT apps.environment, apps.bundle_id, days.day, days.day_number
                    FROM main.apps
                    JOIN main.days ON days.begins_ms <= apps.horizon_ms AND days.ends_ms > apps.horizon_ms
                    """)
        }
        newestDay = seen.compactMap { $0["day_number"] as Int64? }.max()
        horizons = Dictionary(
            seen.map { row in
                let app: [String?] = [row["environment"], row["bundle_id"]]
                return (app.compactMap { $0.map { DocumentText($0) } }, row["day"] as String? ?? "")
            }, uniquingKeysWith: max)
    }

    /// - Returns: a section for each entry, in their order.
    /// - Throws: ``MillError`` if a report is not what its header says, or takes
    ///   too long.
    func sections() throws -> [DashboardSection] {
        try zip(entries, reports).map { entry, report in try section(for: entry, report) }
    }

    private func section(
        for entry: Dashboard.Entry, _ report: Report
    ) throws -> DashboardSection {
        // A report of the user's may do without.
        let settings = settings(of: entry).compactMap { setting in
            report.parameters.first { $0.name == setting.name }.map { parameter in
                (
                    setting.name,
                    [.month, .monthOrAll].contains(parameter.kind) ? String(setting.text.prefix(7)) : setting.text
                )
            }
        }
        let days = CalendarAxis.days(around: newestDay, Self.everything)
        var section = DashboardSection(
            report.header, settings: settings, days: days,
            keptRows: entry.report == Dashboard.coverage.report
                ? DashboardCoverage.greatestApps
                : entry.report == Dashboard.figures.report ? DashboardFigures.greatestRows : DashboardSection.tableRows)
        var run = try ReportRun(report, settings: settings)
        run.timeoutSeconds = timeoutSeconds
        try run.forEachRow(on: session.queue, path: session.path) { section.add($0) }
        section.finish(horizons: horizons, hint: entry.hint)
        return section
    }

    /// Days around the newest that any chart shows.
    private static let everything = Int64(-100_000)...92

    private func settings(of entry: Dashboard.Entry) -> [(name: String, text: String)] {
        guard let reach = entry.days, let newest = newestDay else { return [] }
        let days = CalendarAxis.days(around: newest, reach)
        return [("from", days.lowerBound), ("until", days.upperBound)]
    }
}
