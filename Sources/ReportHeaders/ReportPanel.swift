internal import MillSystem

/// A panel of the dashboard, which shows one chart of a report.
///
/// ```sql
/// -- Panel:
/// --   place     10  owners
/// --   title     Owners by month and era
/// --   chart     bars  x=cohort  y=owners  series=era
/// --   settings  by=month
/// --   alone     unknown  The era of all owners is unknown.
/// --   missing   No owner is known yet.
/// ```
///
/// Place, title, chart and missing are required. Each `place` begins a panel.
package struct ReportPanel: Sendable, Hashable {
    /// The panel's number in the order of the page.
    package var place: Int
    /// The identifier of the panel's element on the page; the report's name unless the header gives another.
    package var id: String
    package var title = ""
    /// The sentence that replaces the chart if the report has no rows.
    package var missing = ""
    /// The chart that is shown instead of the report's charts.
    package var chart = ReportChart(kind: .bars, x: "", y: [])
    /// Parameters that the panel sets.
    package var settings: [Setting] = []
    /// A sentence for the reader if a series is the only one.
    package var alone: OnlySeries?

    /// A parameter's name and text.
    package struct Setting: Sendable, Hashable {
        package var name, text: String
    }

    /// A series that is not informative if it is the only one, with a sentence on what to do.
    package struct OnlySeries: Sendable, Hashable {
        package var series, text: String
    }

    package init(place: Int, id: String) { (self.place, self.id) = (place, id) }

    /// Whether the values along the axis are months, even if the column's type is text.
    package var isByMonth: Bool { settings.contains(Setting(name: "by", text: "month")) }
}

extension ReportPanel {
    /// Reads the panels of a header.
    static func panels(
        of sections: HeaderSections, report: String, columns: [ReportColumn]
    ) throws(MalformedReportHeader) -> [ReportPanel] {
        var panels: [ReportPanel] = []
        for entry in sections.entries(of: .panel) {
            var fields = HeaderFields(entry.text)
            let word = fields.next()?.text ?? ""
            if word == "place" {
                guard let place = fields.next().flatMap({ Int($0.text) }) else { throw malformed(entry, "place") }
                let id = fields.rest.isEmpty ? report : fields.rest
                guard HeaderFields.isIdentifier(id, joinedBy: "-") else { throw malformed(entry, id) }
                panels.append(ReportPanel(place: place, id: id))
            } else {
                guard var panel = panels.popLast() else { throw malformed(entry, word) }
                try panel.read(word, &fields, entry, columns)
                panels.append(panel)
            }
        }
        if let panel = panels.first(where: { $0.title.isEmpty || $0.missing.isEmpty || $0.chart.y.isEmpty }) {
            throw sections.fault(
                of: .panel, "the panel \(panel.id) lacks its title, its chart or the sentence missing",
                hint: "write a line of each under its place")
        }
        return panels
    }

    private mutating func read(
        _ word: String, _ fields: inout HeaderFields, _ entry: HeaderEntry, _ columns: [ReportColumn]
    ) throws(MalformedReportHeader) {
        switch word {
        case "title": title = fields.rest
        case "missing": missing = fields.rest
        case "chart": chart = try ReportChart(parsing: fields.rest, line: entry.line, columns: columns)
        case "settings":
            while let field = fields.next()?.text {
                let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, !settings.contains(where: { $0.name == parts[0] }) else {
                    throw Self.malformed(entry, field)
                }
                settings.append(Setting(name: parts[0], text: parts[1]))
            }
        case "alone":
            guard let series = fields.next()?.text, !fields.rest.isEmpty else { throw Self.malformed(entry, word) }
            alone = OnlySeries(series: series, text: fields.rest)
        default: throw Self.malformed(entry, word)
        }
    }

    private static func malformed(_ entry: HeaderEntry, _ word: String) -> MalformedReportHeader {
        MalformedReportHeader(
            line: entry.line, message: "\(word) says nothing of a panel here",
            hint: "write: place  NUMBER, then title, chart, settings  NAME=VALUE, alone  SERIES  SENTENCE, missing")
    }
}

extension ReportHeader {
    /// The header for a panel: with the panel's title and chart.
    package func showing(_ panel: ReportPanel) -> ReportHeader {
        var shown = self
        (shown.title, shown.charts) = (panel.title, [panel.chart])
        if panel.isByMonth, let place = columns.firstIndex(where: { $0.name == panel.chart.x }) {
            shown.columns[place].kind = .month
        }
        return shown
    }
}
