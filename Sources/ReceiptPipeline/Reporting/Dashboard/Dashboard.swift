internal import GRDB

/// One self-contained page for a database: key figures, and some reports as
/// charts with their rows beneath.
public struct Dashboard {
    /// A report's place on the page.
    struct Entry {
        var report: String
        /// What a report without rows means.
        var missing: String
        /// Days around the newest day of the database that count, for reports on
        /// days that strangers write: a wrong clock would stretch the axis.
        var days: ClosedRange<Int64>?
    }

    /// The key figures, then what each topic shows.
    static let figures = "key-figures"
    static let topics: [(title: String, entries: [Entry])] = [
        (
            "Freemium",
            [
                Entry(
                    report: "freemium-migration",
                    missing: "No owner is known yet: no trusted receipt of production came with a device or an account."
                )
            ]
        ),
        (
            "Subscriptions",
            [
                Entry(report: "subscription-churn", missing: "No trusted receipt tells of a subscription."),
                Entry(report: "subscription-retention", missing: "No subscription has had a paid period yet."),
            ]
        ),
        ("Refunds", [Entry(report: "refunds", missing: "No trusted receipt tells of a purchase.")]),
        (
            "Fraud",
            [
                Entry(report: "fraud-signals", missing: "Nothing looks like fraud."),
                Entry(
                    report: "fraud-signals-by-day",
                    missing: "No signal falls on these days, or archives give no time of submission.",
                    days: -365...92),
            ]
        ),
        ("Quality", [Entry(report: "verdicts-by-month", missing: "No receipt has been read yet.")]),
    ]

    private let catalog: ReportCatalog
    /// How long one report's query may take; nil for as long as it takes.
    public var timeoutSeconds: Double?

    /// - Parameter catalog: where reports are taken from; a report of the user's
    ///   stands in for the built-in one of its name.
    public init(_ catalog: ReportCatalog) { self.catalog = catalog }

    /// Runs the reports, all on the same state of the database, and writes the
    /// page.
    ///
    /// - Parameters:
    ///   - path: the database, opened for reading only.
    ///   - sink: takes the text, a report at a time. What it throws ends the run
    ///     and is thrown on.
    /// - Throws: ``MillError`` if the database can't be read, or if a report is
    ///   not what its header says.
    public func write(fromDatabase path: String, to sink: (String) throws -> Void) throws {
        let database = try ReportDatabase(path: path)
        try database.queue.inDatabase { connection in
            try connection.inTransaction(.deferred) {
                try writePage(from: database, connection, path, to: sink)
                return .rollback
            }
        }
    }

    private func writePage(
        from database: ReportDatabase, _ connection: Database, _ path: String, to sink: (String) throws -> Void
    ) throws {
        let horizon = try Row.fetchOne(connection, sql: "SELECT day, day_number FROM horizon")
        try sink(DashboardPage.begin(newestDay: horizon?["day"]))
        try gatherSignals(from: database, connection, path)
        let figures = try section(Self.figures, settings: [], in: connection, database, path)
        try sink(DashboardPage.figures(figures))
        for topic in Self.topics {
            try sink(DashboardPage.beginTopic(topic.title))
            for entry in topic.entries {
                let settings = Self.settings(of: entry, newestDay: horizon?["day_number"])
                let section = try section(entry.report, settings: settings, in: connection, database, path)
                try sink(DashboardPage.section(section, missing: entry.missing))
            }
            try sink(DashboardPage.endTopic)
        }
        try sink(DashboardPage.end)
    }

    /// Several reports read the signals: they are found once, into a temporary
    /// table that hides the view of the same name.
    private func gatherSignals(from database: ReportDatabase, _ connection: Database, _ path: String) throws {
        let limit = timeoutSeconds.map { QueryTimeLimit(seconds: $0, on: database.queue) }
        defer { limit?.cancel() }
        do {
            try connection.execute(
                sql: "CREATE TEMP TABLE fraud_signals AS SELECT * FROM main.fraud_signals")
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_INTERRUPT, let limit {
                throw limit.exceeded(by: try catalog.report(named: Self.figures))
            }
            throw ReportDatabase.explained(error, path: path)
        }
    }

    private static func settings(of entry: Entry, newestDay: Int64?) -> [(name: String, text: String)] {
        guard let days = entry.days, let newestDay else { return [] }
        let text = { (day: Int64) in CalendarAxis.days.text(of: Double(newestDay + day)) }
        return [("from", text(days.lowerBound)), ("until", text(days.upperBound))]
    }

    private func section(
        _ name: String, settings: [(name: String, text: String)], in connection: Database,
        _ database: ReportDatabase, _ path: String
    ) throws -> DashboardSection {
        let report = try catalog.report(named: name)
        // A report of the user's may do without.
        let settings = settings.filter { setting in report.header.parameters.contains { $0.name == setting.name } }
        var section = DashboardSection(report.header, settings: settings)
        let limit = timeoutSeconds.map { QueryTimeLimit(seconds: $0, on: database.queue) }
        defer { limit?.cancel() }
        try ReportRun(report, settings: settings).forEachRow(in: connection, path: path, limit: limit) {
            section.add($0)
        }
        section.finish()
        return section
    }
}
