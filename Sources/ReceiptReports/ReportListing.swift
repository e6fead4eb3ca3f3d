internal import MillJSON
internal import MillSystem
internal import ReportHeaders

/// Lists and descriptions of reports, as text or JSON.
package enum ReportListing {
    /// Names and titles, grouped by topic.
    package static func text(_ reports: [Report]) -> String {
        let width = reports.map(\.name.count).max() ?? 0
        return reports.indices.map { index in
            let report = reports[index]
            let isNew = index == 0 || reports[index - 1].topic != report.topic
            return (isNew ? (index == 0 ? "" : "\n") + (report.topic ?? "others") + "\n" : "")
                + "  \(TerminalText.padded(report.name, to: width))  \(report.header.title)\n"
        }.joined()
    }

    /// One JSON array with an object for each report: name, aliases, topic, title, question, grain, parameters,
    /// columns, shown, total, triangle, chart (the first), charts, panels, notes, example, path. A chart's y is `rows`
    /// if the chart counts rows. A parameter has name, type, default, required and meaning; if not every value of its
    /// type is allowed, also values, minimum or maximum.
    package static func json(_ reports: [Report]) -> String {
        let objects = reports.map { report in
            let header = report.header
            return JSONText.object([
                ("name", string(report.name)), ("aliases", array(header.aliases.map(string))),
                ("topic", string(report.topic)), ("title", string(header.title)),
                ("question", string(header.question)), ("grain", array(header.grain.map(string))),
                ("parameters", array(report.parameters.map { json($0, of: report) })),
                ("columns", array(header.columns.map(json))),
                ("shown", header.shown.map { array($0.map(string)) } ?? "null"),
                ("total", array(header.totals.map(string))), ("triangle", header.triangle.map(json) ?? "null"),
                ("chart", header.charts.first.map(json) ?? "null"), ("charts", array(header.charts.map(json))),
                ("panels", array(header.panels.map(json))),
                ("notes", string(header.notes)),
                ("example", string(header.example)),
                ("path", string(report.origin.path)),
            ])
        }
        return objects.isEmpty ? "[]\n" : "[\n  " + objects.joined(separator: ",\n  ") + "\n]\n"
    }

    /// A report's header in full.
    package static func description(of report: Report) -> String {
        let header = report.header
        var text = "\(header.name): \(header.title)\n\(header.question)\n"
        if !header.aliases.isEmpty { text += "Also found as \(header.aliases.joined(separator: ", ")).\n" }
        text += "\nOne row per \(header.grain.joined(separator: ", ")).\n"
        if !report.parameters.isEmpty {
            text += "\nParameters, set with words of the form NAME=VALUE:\n"
            text += table(
                report.parameters.map {
                    [$0.name, $0.kind.rawValue, $0.isRequired ? "required" : $0.defaultText ?? "–", $0.description]
                })
        }
        text += "\nColumns:\n"
        text += table(
            header.columns.map { [$0.name, $0.kind.rawValue + ($0.unit.map { "(\($0))" } ?? ""), $0.meaning] })
        if let notes = header.notes { text += "\nNotes:\n" + indented(notes) }
        text += "\nExample:\n" + indented(header.example)
        text += "\nSQL: \(report.origin.path)\n"
        return text
    }

    private static func table(_ rows: [[String]]) -> String {
        let widths = TextColumns.widths(of: rows)
        return rows.map { "  " + TextColumns.line($0, widths) + "\n" }.joined()
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }

    /// A parameter as JSON. `filters` is the view that the parameter filters; null if the statement itself reads the
    /// parameter. `values` is the closed set of values, if there is one. `minimum` and `maximum` are bounds; a colon
    /// precedes the name of another parameter.
    private static func json(_ parameter: ReportParameter, of report: Report) -> String {
        var members = [
            ("name", string(parameter.name)), ("type", string(parameter.kind.rawValue)),
            ("default", string(parameter.defaultText)), ("required", parameter.isRequired ? "true" : "false"),
            ("meaning", string(parameter.meaning)), ("filters", string(report.view(filteredBy: parameter))),
        ]
        switch parameter.range {
        case .any: break
        case .values(let values): members.append(("values", array(values.map(string))))
        case .bounds(let minimum, let maximum):
            for case (let name, .some(let bound)) in [("minimum", minimum), ("maximum", maximum)] {
                if case .parameter(let other) = bound { members.append((name, string(":" + other))) }
                if case .value(let text) = bound { members.append((name, string(text))) }
            }
        }
        return JSONText.object(members)
    }

    private static func json(_ chart: ReportChart) -> String {
        JSONText.object([
            ("kind", string(chart.kind.rawValue)), ("x", string(chart.x)), ("y", array(chart.y.map(string))),
            ("series", string(chart.series)), ("n", string(chart.count)), ("line", string(chart.line)),
        ])
    }

    /// A panel of the dashboard as JSON. Its chart replaces the report's own.
    private static func json(_ panel: ReportPanel) -> String {
        let settings = panel.settings.map { ($0.name, string($0.text)) }
        return JSONText.object([
            ("place", "\(panel.place)"), ("id", string(panel.id)), ("title", string(panel.title)),
            ("chart", json(panel.chart)), ("settings", JSONText.object(settings)),
        ])
    }

    private static func json(_ triangle: ReportTriangle) -> String {
        JSONText.object([
            ("rows", string(triangle.rows)), ("columns", string(triangle.columns)), ("value", string(triangle.value)),
        ])
    }

    private static func json(_ column: ReportColumn) -> String {
        JSONText.object([
            ("name", string(column.name)), ("type", string(column.kind.rawValue)),
            ("unit", string(column.currencyColumn == nil ? column.unit : nil)),
            ("currency", string(column.currencyColumn)), ("meaning", string(column.meaning)),
            ("case", string(CaseLinks.report(about: column.name))),
        ])
    }

    private static func string(_ text: String?) -> String { text.map(JSONText.quoted) ?? "null" }
    private static func array(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }
}
