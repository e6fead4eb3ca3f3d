internal import GRDB
internal import MillDatabase
internal import ReceiptFormat
internal import Synchronization

/// The page's reports, run on one state of a database, two at a time.
struct DashboardReading {
    private let session: ReportSession
    private let connections: SnapshotConnections
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
        guard let snapshots = session.snapshots else { preconditionFailure("the session is for one report") }
        connections = snapshots
        reports = try entries.map { try catalog.report(named: $0.report) }
        // The search takes both connections.
        if let reader = reports.first(where: { !$0.sharedViews.isEmpty }) {
            let shared = reports.reduce(into: Set<SharedView>()) { $0.formUnion($1.sharedViews) }
            try session.find(shared, for: reader, timeoutSeconds: timeoutSeconds)
        }
        let seen = try session.queue.inDatabase { connection in
            // Where an older version's database lacks it, the reports that read it say so.
            guard try connection.has("app_horizons") else { return [Row]() }
            return try Row.fetchAll(
                connection, sql: "SELECT environment, bundle_id, day, day_number FROM app_horizons")
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
        let waiting = Mutex(Array(entries.indices))
        let sections = Mutex<[DashboardSection?]>(Array(repeating: nil, count: entries.count))
        try connections.run { database, number in
            // The first connection alone has the views that were found: it runs the reports that read them, then others.
            let isFirst = number == 0
            while true {
                let next = waiting.withLock { waiting in
                    let index =
                        waiting.firstIndex { isFirst != reports[$0].sharedViews.isDisjoint(with: session.foundViews) }
                        ?? (isFirst ? waiting.indices.first : nil)
                    return index.map { waiting.remove(at: $0) }
                }
                guard let next else { return }
                do {
                    let section = try section(for: entries[next], reports[next], in: database)
                    sections.withLock { $0[next] = section }
                } catch {
                    waiting.withLock { $0.removeAll() }
                    throw error
                }
            }
        }
        return sections.withLock { $0.compactMap { $0 } }
    }

    private func section(
        for entry: Dashboard.Entry, _ report: Report, in database: ReadOnlyDatabase
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
                ? DashboardCoverage.greatestApps : DashboardSection.tableRows)
        var run = try ReportRun(report, settings: settings)
        run.timeoutSeconds = timeoutSeconds
        try run.forEachRow(on: database.queue, path: session.path) { section.add($0) }
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
