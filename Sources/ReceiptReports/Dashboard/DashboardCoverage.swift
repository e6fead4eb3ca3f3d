internal import MillSystem
internal import ReceiptFormat

/// The head of the page: the time when the page was made, and the apps, environments and days that the page covers.
struct DashboardCoverage {
    /// The greatest number of apps, by environment, that are counted and listed.
    static let greatestApps = 1000
    /// The greatest number of names that a line spells out.
    private static let greatestNames = 6

    /// Rows of the report `coverage`.
    let section: DashboardSection
    /// The time of the page, in milliseconds since 1970.
    let madeAt: Int64

    var html: String {
        let made = CivilTime.iso8601(milliseconds: CivilTime.seconds(ofMilliseconds: madeAt) * 1000)
        var facts = [
            ("Made", "<time datetime=\"\(made)\">\(made.prefix(10)) \(made.dropFirst(11).prefix(5))</time> UTC")
        ]
        if section.rowCount > 0 {
            facts += [
                ("Days", days), ("Environments", names(of: "environment")), ("Apps", names(of: "bundle_id")),
            ]
        }
        let items = facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>\n" }.joined()
        let state =
            section.rowCount == 0
            ? "<p>The database holds no trusted receipt. Load archives with <code>receiptmill ingest</code>.</p>\n" : ""
        return "<dl class=\"coverage\">\n\(items)</dl>\n\(state)</header>\n<main>\n"
    }

    /// The first and the last day of any app. Days are compared as texts, which works because the year stands first.
    private var days: String {
        guard let first = section.values(of: "first_day").min(), let last = section.values(of: "last_day").max()
        else { return "–" }
        return "\(HTMLText.harmless(first.string)) to \(HTMLText.harmless(last.string)), by the store&#39;s dates"
    }

    private func names(of column: String) -> String {
        let names = section.values(of: column)
        let shown = names.prefix(Self.greatestNames).map { HTMLText.harmless($0.string) }.joined(separator: ", ")
        return names.count > Self.greatestNames ? "\(names.count): \(shown), …" : shown
    }
}
