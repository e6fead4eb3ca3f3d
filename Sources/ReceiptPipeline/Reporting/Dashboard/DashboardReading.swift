internal import GRDB
internal import Synchronization

/// The page's reports, run on one state of a database, two at a time.
struct DashboardReading {
    private let catalog: ReportCatalog
    private let path: String
    /// How long one report's query may take; nil for as long as it takes.
    private let timeoutSeconds: Double?
    private let connections: TwinConnections
    /// The newest day that the database sees.
    let newestDay: (text: String, number: Int64)?

    /// - Throws: ``MillError`` if the database can't be read.
    init(of catalog: ReportCatalog, fromDatabase path: String, timeoutSeconds: Double?) throws {
        self.catalog = catalog
        self.path = path
        self.timeoutSeconds = timeoutSeconds
        connections = try TwinConnections(path: path)
        newestDay = try connections.databases[0].queue.inDatabase { connection in
            let horizon = try Row.fetchOne(connection, sql: "SELECT day, day_number FROM horizon")
            guard let horizon, let text = horizon["day"] as String? else { return nil }
            return (text, horizon["day_number"])
        }
    }

    /// - Returns: a section for each entry, in their order.
    /// - Throws: ``MillError`` if a report is not what its header says, or takes
    ///   too long.
    func sections(of entries: [Dashboard.Entry]) throws -> [DashboardSection] {
        let reports = try entries.map { try catalog.report(named: $0.report) }
        let waiting = Mutex(Array(entries.indices))
        let sections = Mutex<[DashboardSection?]>(Array(repeating: nil, count: entries.count))
        if let reader = reports.first(where: { $0.sharedViews.contains(.signals) }) {
            try within(timeoutSeconds, of: reader, on: connections.databases) {
                try SignalSearch(connections: connections).run()
            }
        }
        try connections.run { database, number in
            // What reports share stands on the first connection alone, which goes on with the others when it has done
            // those that read it.
            let isFirst = number == 0
            if isFirst, let reader = reports.first(where: { $0.sharedViews.contains(.dailyPurchases) }) {
                try within(timeoutSeconds, of: reader, on: [database]) {
                    try database.queue.inDatabase(SharedView.dailyPurchases.find)
                }
            }
            while true {
                let next = waiting.withLock { waiting in
                    let place =
                        isFirst
                        ? waiting.firstIndex { !reports[$0].sharedViews.isEmpty } ?? waiting.indices.first
                        : waiting.firstIndex { reports[$0].sharedViews.isEmpty }
                    return place.map { waiting.remove(at: $0) }
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

    /// Does what a report needs in the time that it may take.
    private func within(
        _ seconds: Double?, of report: Report, on databases: [ReportDatabase], _ work: () throws -> Void
    ) throws {
        let limit = seconds.map { QueryTimeLimit(seconds: $0, on: databases.map(\.queue)) }
        defer { limit?.cancel() }
        try limited(by: limit, for: report, path: path, work)
    }

    private func section(
        for entry: Dashboard.Entry, _ report: Report, in database: ReportDatabase
    ) throws -> DashboardSection {
        // A report of the user's may do without.
        let settings = settings(of: entry).filter { setting in
            report.header.parameters.contains { $0.name == setting.name }
        }
        var section = DashboardSection(report.header, settings: settings)
        let limit = timeoutSeconds.map { QueryTimeLimit(seconds: $0, on: [database.queue]) }
        defer { limit?.cancel() }
        try database.queue.inDatabase { connection in
            try ReportRun(report, settings: settings).forEachRow(in: connection, path: path, limit: limit) {
                section.add($0)
            }
        }
        section.finish()
        return section
    }

    private func settings(of entry: Dashboard.Entry) -> [(name: String, text: String)] {
        guard let days = entry.days, let newest = newestDay?.number else { return [] }
        let text = { (day: Int64) in CalendarAxis.days.text(of: Double(newest + day)) }
        return [("from", text(days.lowerBound)), ("until", text(days.upperBound))]
    }
}
