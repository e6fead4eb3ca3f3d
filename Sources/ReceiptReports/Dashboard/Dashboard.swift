internal import Foundation

/// One self-contained page for a database: key figures, and some reports as
/// charts with their rows beneath.
package struct Dashboard {
    /// A report as the page shows it.
    package struct Entry {
        package var report: String
        /// What a report without rows means.
        package var missing: String
        /// Days around the newest day of the database that count, for reports on
        /// days that devices report: a wrong clock would stretch the axis.
        package var days: ClosedRange<Int64>?
        /// What to say of apps of which a chart shows one series alone.
        var hint: Hint?
    }

    /// A sentence for apps whose only series is the one named.
    struct Hint {
        var series, text: String
    }

    /// What the database covers, and the key figures; then what each topic shows.
    static let coverage = Entry(report: "coverage", missing: "")
    package static let figures = Entry(report: "overview", missing: "")
    static let topics: [(title: String, entries: [Entry])] = [
        (
            "Money",
            [
                Entry(report: "recurring-revenue", missing: "No subscription has had a paid period yet."),
                Entry(report: "revenue", missing: "No trusted document tells of a purchase."),
            ]
        ),
        (
            "Subscriptions",
            [
                Entry(report: "active-subscriptions", missing: "No trusted document tells of a subscription."),
                Entry(report: "subscription-churn", missing: "No trusted document tells of a subscription."),
                Entry(report: "subscription-retention", missing: "No subscription has had a paid period yet."),
            ]
        ),
        ("Refunds", [Entry(report: "refunds", missing: "No trusted document tells of a purchase.")]),
        (
            "Freemium",
            [
                Entry(
                    report: "freemium-migration",
                    missing:
                        "No owner is known yet: no trusted receipt of production came with a device or an account.",
                    hint: Hint(
                        series: "unknown",
                        text: "the era of all owners is unknown. If the app once cost money, tell its first free "
                            + "version: receiptmill ingest --app BUNDLE:FIRST_FREE_VERSION."))
            ]
        ),
        ("Fraud", [Entry(report: "fraud-signals", missing: "Nothing looks like fraud.")]),
        (
            "Quality",
            [
                Entry(report: "receipts-by-month", missing: "No receipt has been read yet."),
                Entry(report: "archive-loads", missing: "No archive has been loaded yet."),
            ]
        ),
    ]

    private let catalog: ReportCatalog
    /// How long one report's query may take; nil for as long as it takes.
    package var timeoutSeconds: Double?

    /// - Parameter catalog: where reports are taken from; a report of the user's
    ///   replaces the built-in one of its name.
    package init(_ catalog: ReportCatalog) { self.catalog = catalog }

    private static let entries = [coverage, figures] + topics.flatMap(\.entries)

    /// The page's reports, but those that can't be read.
    private var reports: [Report] { Self.entries.compactMap { try? catalog.report(named: $0.report) } }

    /// Runs the reports and writes the page.
    ///
    /// - Parameters:
    ///   - session: where the database is open for any report.
    ///   - time: when the page is made, in milliseconds since 1970.
    ///   - warn: takes what is odd about the answers.
    ///   - sink: takes the text, a report at a time. What it throws ends the run
    ///     and is thrown on.
    /// - Throws: ``MillError`` if the database can't be read, or if a report is
    ///   not what its header says.
    package func write(
        in session: ReportSession, at time: Int64 = Int64(Date().timeIntervalSince1970 * 1000),
        warn: (ReportWarning) -> Void = { _ in }, to sink: (String) throws -> Void
    ) throws {
        if let warning = try session.checkModels(readBy: reports) { warn(warning) }
        let reading = try DashboardReading(Self.entries, of: catalog, in: session, timeoutSeconds: timeoutSeconds)
        let sections = try reading.sections()
        let archives = sections.first { $0.header.name == "archive-loads" }?.rowCount
        try sink(DashboardPage.begin)
        try sink(DashboardCoverage(sections[0], archives: archives ?? 0, madeAt: time).html)
        try sink(DashboardFigures(sections[1]).html)
        var rest = sections.dropFirst(2)
        for topic in Self.topics {
            try sink(DashboardPage.beginTopic(topic.title))
            for entry in topic.entries {
                try sink(DashboardPage.section(rest.removeFirst(), missing: entry.missing))
            }
            try sink(DashboardPage.endTopic)
        }
        try sink(DashboardPage.end)
    }
}
