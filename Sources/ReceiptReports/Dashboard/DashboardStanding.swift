internal import MillSystem
internal import ReceiptFormat

/// The page's line for operators and the fraud team.
struct DashboardStanding {
    private let section: DashboardSection
    private let madeAt: Int64

    /// - Parameters:
    ///   - section: the row of the report `standing`.
    ///   - madeAt: when the page is made, in milliseconds since 1970.
    init(_ section: DashboardSection, madeAt: Int64) {
        self.section = section
        self.madeAt = madeAt
    }

    var html: String {
        guard let row = section.rows.first else { return "" }
        let value = { (name: String) in
            section.header.columns.firstIndex { $0.name == name }.map { (row[$0], section.header.columns[$0]) }
        }
        let text = { (name: String) in value(name).map { ChartText.cell($0.0, of: $0.1) } ?? "–" }
        let signals = text("new_high_signals")
        let items = [
            "<li\(signals == "0" || signals == "–" ? "" : " class=\"severity high\"")>"
                + "<a href=\"#fraud-signals\">new high signals</a> <b>\(HTMLText.harmless(signals))</b></li>",
            "<li>open cases <b>\(HTMLText.harmless(text("open_cases")))</b></li>",
            "<li>last run: rejected <b>\(HTMLText.harmless(text("rejected_share")))</b>, "
                + "<a href=\"#receipts-by-month\">untrusted</a> <b>\(HTMLText.harmless(text("untrusted_share")))</b></li>",
            "<li>newest document <b>\(age(value("newest_document")?.0))</b></li>",
        ]
        return "<ul class=\"standing\">\n\(items.joined(separator: "\n"))\n</ul>\n"
    }

    private func age(_ newest: ReportValue?) -> String {
        guard let day = newest?.key.map({ String($0.string.prefix(10)) }),
            let then = CalendarAxis.days.number(of: DocumentText(day)),
            let now = CalendarAxis.days.number(
                of: DocumentText(String(CivilTime.iso8601(milliseconds: madeAt).prefix(10))))
        else { return "none" }
        let days = Int(now - then)
        let name = days == 1 ? "1 day old" : days > 0 ? "\(ChartText.grouped(String(days))) days old" : "of today"
        return HTMLText.harmless(name) + "</b> (\(HTMLText.harmless(day)))<b>"
    }
}
