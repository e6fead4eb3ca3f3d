internal import ReceiptFormat
internal import ReportHeaders

/// The parts of the page as HTML. The page loads nothing, and runs one script of its own.
enum DashboardPage {
    /// - Parameter title: the page's apps and months.
    static func begin(title: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
        script-src 'sha256-\(scriptDigest)'; img-src data:">
        <link rel="icon" href="data:,">
        <title>\(HTMLText.harmless(title))</title>
        <style>
        \(style)</style>
        </head>
        <body>
        <header>
        <h1>\(HTMLText.harmless(title))</h1>

        """
    }

    static var style: String { String(decoding: PackageResources.dashboard_css, as: UTF8.self) }

    /// The script shows the values beside a pointer or a finger. Without it, a browser shows them when the pointer
    /// rests on them.
    static var script: String { String(decoding: PackageResources.dashboard_js, as: UTF8.self) }
    /// The SHA-256 of the script; the page allows no other script (CSP Level 3, `hash-source`).
    static let scriptDigest = "pUCX5ErwIlzXHES1KU7avrGFPxl+NG7/ADHClwFqM5s="

    static let beginPanels = "<div class=\"panels\">\n"

    /// - Parameter timeZone: the zone of the page's days and months.
    static func end(timeZone: String) -> String {
        """
        </div>
        </main>
        <footer><p>Days and months are those of \(HTMLText.harmless(timeZone)), times those of UTC. Under each chart stand \
        the rows that it comes from, with the command that prints them all.</p></footer>
        <script>\(script)</script>
        </body>
        </html>

        """
    }

    static func panel(_ panel: ReportPanel, _ section: DashboardSection) -> String {
        var text = """
            <article id="\(panel.id)"\(section.rowCount == 0 ? " class=\"empty\"" : "")>
            <h2 title="\(HTMLText.harmless(section.header.question))">\(HTMLText.harmless(section.header.title))</h2>

            """
        if section.rowCount == 0 {
            text += "<p class=\"missing\">\(HTMLText.harmless(panel.missing))</p>\n"
        } else {
            for data in section.charts.prefix(1) {
                text += legend(data)
                for shown in data.panels.prefix(1) {
                    let svg = ChartDrawing(data: data, panel: shown, size: .small).svg(
                        id: panel.id + "-chart", class: "small", title: section.header.title)
                    text += "<figure>\n\(svg)</figure>\n"
                }
            }
            text += remarks(section) + table(section)
        }
        return text + "</article>\n"
    }

    private static func remarks(_ section: DashboardSection) -> String {
        guard !section.omissions.isEmpty else { return "" }
        return "<p class=\"remark\">\(HTMLText.harmless(section.omissions.joined(separator: " ")))</p>\n"
    }

    /// The charts of a report, with sentences that state what they leave out.
    static func drawing(_ section: DashboardSection) -> String {
        var text = ""
        for (index, data) in section.charts.enumerated() {
            let title = section.charts.count > 1 ? subtitle(data) : ""
            text += title + legend(data) + charts(data, number: index + 1, of: section.header)
        }
        return text + remarks(section)
    }

    /// The names of the measures, if a report has several charts.
    private static func subtitle(_ data: ChartData) -> String {
        let names = data.chart.y.map(ChartText.words).joined(separator: ", ")
        return "<h4>\(HTMLText.harmless(names.prefix(1).uppercased() + names.dropFirst()))</h4>\n"
    }

    private static func legend(_ data: ChartData) -> String {
        let items = data.chart.kind == .heat ? heatKeys(data) : seriesKeys(data)
        return items.isEmpty ? "" : "<ul class=\"legend\">\(items.joined())</ul>\n"
    }

    private static func key(_ name: String, _ text: String) -> String {
        "<li><span class=\"key \(name)\"></span>\(HTMLText.harmless(text))</li>"
    }

    private static func seriesKeys(_ data: ChartData) -> [String] {
        let names = data.shownNames
        let keys = data.series.enumerated().map { key(ChartDrawing.colour($0, of: data), names[$1] ?? $1.string) }
        let line = data.chart.line.map { [key("line rest", ChartText.words($0))] } ?? []
        let unknown = data.panels.contains(where: data.showsUnknown) ? [key("unknown", "not known in full yet")] : []
        let isTold = keys.count > 1 || (data.together != nil && data.seriesColumn != nil)
        return (isTold ? keys : []) + line + unknown
    }

    private static func heatKeys(_ data: ChartData) -> [String] {
        let steps = (0...9).map { "<span class=\"h\($0)\"></span>" }.joined()
        let row = ChartText.words(data.chart.series ?? "")
        let count = data.chart.count.map {
            ["<li><i>n</i>: \(HTMLText.harmless(ChartText.words($0))), in the first column</li>"]
        }
        let ends = data.isShare ? ("0 %", "100 %") : ("0", "the largest of each")
        return ["<li>\(ends.0) <span class=\"ramp\">\(steps)</span> \(ends.1)</li>", key("unknown", "not known yet")]
            + (count ?? []) + ["<li>–: none in this \(HTMLText.harmless(row))</li>"]
    }

    private static func charts(_ data: ChartData, number: Int, of header: ReportHeader) -> String {
        let isAlone = data.panels.count == 1
        let figures = data.panels.enumerated().map { index, panel in
            let title = panel.name.isEmpty ? header.title : "\(header.title): \(panel.name)"
            let id = "\(header.name)-\(number)-\(index + 1)"
            let small = ChartDrawing(data: data, panel: panel, size: .small).svg(id: id, class: "small", title: title)
            let wide = ChartDrawing(data: data, panel: panel, size: .wide)
            return "<figure\(isAlone ? " class=\"alone\"" : "")>\n"
                + (panel.name.isEmpty ? "" : "<figcaption>\(HTMLText.harmless(panel.name.string))</figcaption>\n")
                + small
                + (isAlone ? wide.svg(id: id + "-wide", class: "wide", title: title) : "") + "</figure>\n"
        }
        return "<div class=\"charts\">\n" + figures.joined() + "</div>\n"
    }

    /// The class of a cell; severities have colours.
    private static func attributes(_ column: ReportColumn, _ value: ReportValue) -> String {
        guard column.name == "severity", let severity = value.key,
            ChartData.ranks["severity"]?.contains(severity) == true
        else { return HTMLText.alignment(column) }
        return " class=\"severity \(severity)\""
    }

    private static func table(_ section: DashboardSection) -> String {
        let count = ChartText.grouped(String(section.rowCount))
        let places = section.header.shown.map(section.header.places) ?? Array(section.header.columns.indices)
        let columns = places.map { section.header.columns[$0] }
        let extent =
            section.rows.count < section.rowCount
            ? "the first \(section.rows.count) of \(count) rows" : section.rowCount == 1 ? "1 row" : "\(count) rows"
        let headings = columns.map {
            "<th scope=\"col\"\(HTMLText.alignment($0)) title=\"\(HTMLText.harmless($0.meaning))\">"
                + "\(HTMLText.harmless(ChartText.words($0.name)))</th>"
        }
        let rows = section.rows.map { row in
            let cells = zip(columns, places.map { row[$0] }).map { column, value in
                "<td\(attributes(column, value))>\(HTMLText.harmless(ChartText.cell(value, of: column)))</td>"
            }
            return "<tr>\(cells.joined())</tr>\n"
        }
        let notes = section.header.notes.map { notes in
            let lines = notes.split(separator: "\n", omittingEmptySubsequences: false)
            return "<p class=\"notes\">\(lines.map { HTMLText.harmless(String($0)) }.joined(separator: "\n"))</p>\n"
        }
        return """
            <details>
            <summary>Table: \(extent)</summary>
            <p class="remark"><code>\(HTMLText.harmless(section.command))</code></p>
            \(HTMLText.beginTable(headings))\(rows.joined())\(HTMLText.endTable())\(notes ?? "")</details>

            """
    }
}
