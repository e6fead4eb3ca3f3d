internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// The head of the page: its time, and the apps, environments and days that it covers.
struct DashboardCoverage {
    /// The maximum number of apps that are counted and listed; an app counts once for each environment.
    static let maximumApps = 1000
    /// The maximum number of names in a line.
    private static let maximumNames = 6
    /// The maximum number of apps that the title names.
    private static let maximumTitleNames = 3

    /// Rows of the report `coverage`.
    let section: DashboardSection
    /// The apps that the page counts.
    let apps: [CountedApp]
    /// The months that the page shows; nil if no document has a date.
    let months: String?
    /// The time that the page states, in milliseconds since 1970.
    let madeAt: Int64

    /// The apps and the months that the page shows.
    var title: String {
        let names = Set(apps.map(\.bundle)).sorted()
        let subject =
            switch names.count {
            case 0: "ReceiptMill"
            case ...Self.maximumTitleNames: names.joined(separator: ", ")
            default: "\(names.count) apps"
            }
        return subject + (names.isEmpty ? "" : months.map { ", \($0)" } ?? "")
    }

    var html: String {
        let made = CivilTime.iso8601(milliseconds: CivilTime.seconds(ofMilliseconds: madeAt) * 1000)
        var facts = [
            (
                "Made",
                "<time datetime=\"\(made)\">\(made.prefix(10)) \(made.dropFirst(11).prefix(5))</time> UTC, by ReceiptMill"
            )
        ]
        if section.rowCount > 0 {
            facts += [
                ("Months", months.map { HTMLText.harmless($0) } ?? "–"), ("Days", days),
                ("Environments", names(of: "environment", apps.map(\.environment))),
                ("Apps", names(of: "bundle_id", apps.map(\.bundle))),
            ]
        }
        let items = facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>\n" }.joined()
        let state =
            section.rowCount == 0
            ? "<p>The database holds no trusted receipt. Load archives with <code>receiptmill ingest</code>.</p>\n" : ""
        return "<dl class=\"coverage\">\n\(items)</dl>\n\(state)</header>\n<main>\n"
    }

    /// The first and the last day of the counted apps. Days are compared as texts, which works because the year comes
    /// first.
    private var days: String {
        let counted = Set(apps.map { [$0.environment, $0.bundle] })
        let rows = section.rows.filter { row in
            counted.contains(["environment", "bundle_id"].map { section.value(of: $0, in: row)?.plainText ?? "" })
        }
        func values(_ column: String) -> [DocumentText] { rows.compactMap { section.value(of: column, in: $0)?.key } }
        guard let first = values("first_day").min(), let last = values("last_day").max() else { return "–" }
        return "\(HTMLText.harmless(first.string)) to \(HTMLText.harmless(last.string)), by the store&#39;s dates"
    }

    /// The names that are counted, and those in the database that are not.
    private func names(of column: String, _ counted: [String]) -> String {
        let known = section.values(of: column)
        let isCounted = Set(counted.map { DocumentText($0) })
        let others = known.filter { !isCounted.contains($0) }
        let left = others.isEmpty ? "" : "; not counted: \(Self.list(others))"
        return Self.list(known.filter(isCounted.contains)) + left
    }

    private static func list(_ names: [DocumentText]) -> String {
        guard !names.isEmpty else { return "none" }
        let shown = names.prefix(maximumNames).map { HTMLText.harmless($0.string) }.joined(separator: ", ")
        return names.count > maximumNames ? "\(names.count): \(shown), …" : shown
    }
}
