internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// The page's line for operators and the fraud team.
struct OperatorsLine {
    /// The single row of the report `standing`.
    let section: DashboardSection
    /// The time that the page states, in milliseconds since 1970.
    let madeAt: Int64
    /// A text on what cases and runs count beyond the page's settings, since they belong to no app and no environment.
    let unheld: String

    var html: String {
        guard let row = section.rows.first else { return "" }
        let text = { (name: String) in
            section.header.places(of: [name]).first.map { ChartText.cell(row[$0], of: section.header.columns[$0]) }
                ?? "–"
        }
        let signals = text("new_high_signals")
        let items = [
            "<li\(signals == "0" || signals == "–" ? "" : " class=\"severity high\"")>"
                + "<a href=\"#fraud-signals\">new high signals</a> <b>\(HTMLText.harmless(signals))</b></li>",
            "<li>open cases\(unheld) <b>\(HTMLText.harmless(text("open_cases")))</b></li>",
            "<li>last run\(unheld): rejected <b>\(HTMLText.harmless(text("rejected_share")))</b>, "
                + "<a href=\"#receipts-by-month\">untrusted</a> <b>\(HTMLText.harmless(text("untrusted_share")))</b></li>",
            "<li>newest document <b>\(age(section.value(of: "newest_document", in: row)))</b></li>",
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
