/// The page's parts as HTML. It runs no script and loads nothing.
enum DashboardPage {
    /// - Parameter newestDay: of trusted receipts; nil in a database without.
    static func begin(newestDay: String?) -> String {
        let state =
            newestDay.map { "Newest trusted receipt: <time>\(HTMLText.harmless($0))</time>, in UTC." }
            ?? "The database holds no trusted receipt. Load archives with <code>receiptmill ingest</code>."
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            img-src data:">
            <link rel="icon" href="data:,">
            <title>ReceiptMill</title>
            <style>
            \(String(decoding: PackageResources.dashboard_css, as: UTF8.self))</style>
            </head>
            <body>
            <header>
            <h1>ReceiptMill</h1>
            <p>\(state)</p>
            </header>
            <main>

            """
    }

    /// The rows of a report of figures: name, value, meaning.
    static func figures(_ section: DashboardSection) -> String {
        guard !section.rows.isEmpty else { return "<p class=\"missing\">The database holds no archive yet.</p>\n" }
        var text = "<dl class=\"figures\">\n"
        for row in section.rows where row.count >= 3 {
            let name = row[0].plainText ?? ""
            text +=
                "<div\(name == "high_signals" && row[1] != .integer(0) ? " class=\"alarm\"" : "")>"
                + "<dt>\(HTMLText.harmless(ChartText.words(name)))</dt>"
                + "<dd>\(HTMLText.harmless(ChartText.cell(row[1], of: section.header.columns[1])))</dd>"
                + "<dd class=\"meaning\">\(HTMLText.harmless(row[2].plainText ?? ""))</dd></div>\n"
        }
        return text + "</dl>\n"
    }

    static func beginTopic(_ title: String) -> String { "<section>\n<h2>\(HTMLText.escaped(title))</h2>\n" }
    static let endTopic = "</section>\n"
    static let end = """
        </main>
        <footer><p>Times are in UTC. Above each table stands the report that it and its charts come from.</p></footer>
        </body>
        </html>

        """

    /// - Parameter missing: what it means that there are no rows.
    static func section(_ section: DashboardSection, missing: String) -> String {
        let header = section.header
        var text = """
            <article id="\(header.name)">
            <h3>\(HTMLText.harmless(header.title))</h3>
            <p class="question">\(HTMLText.harmless(header.question))</p>

            """
        if section.rowCount == 0 {
            text += "<p class=\"missing\">\(HTMLText.harmless(missing))</p>\n"
        } else {
            if let data = section.data { text += legend(data) + charts(data, of: header) }
            if !section.omissions.isEmpty {
                text += "<p class=\"remark\">\(HTMLText.harmless(section.omissions.joined(separator: " ")))</p>\n"
            }
            text += table(section)
        }
        return text + "</article>\n"
    }

    private static func legend(_ data: ChartData) -> String {
        guard data.series.count > 1 else { return "" }
        let items = data.series.enumerated().map { index, name in
            "<li><span class=\"key \(ChartDrawing.colour(index, of: data))\"></span>\(HTMLText.harmless(name))</li>"
        }
        return "<ul class=\"legend\">\(items.joined())</ul>\n"
    }

    private static func charts(_ data: ChartData, of header: ReportHeader) -> String {
        let isAlone = data.panels.count == 1
        let figures = data.panels.enumerated().map { index, panel in
            let title = panel.name.isEmpty ? header.title : "\(header.title): \(panel.name)"
            let id = "\(header.name)-\(index + 1)"
            let small = ChartDrawing(data: data, panel: panel, size: .small).svg(id: id, class: "small", title: title)
            let wide = ChartDrawing(data: data, panel: panel, size: .wide)
            return "<figure\(isAlone ? " class=\"alone\"" : "")>\n"
                + (panel.name.isEmpty ? "" : "<figcaption>\(HTMLText.harmless(panel.name))</figcaption>\n") + small
                + (isAlone ? wide.svg(id: id + "-wide", class: "wide", title: title) : "") + "</figure>\n"
        }
        return "<div class=\"charts\">\n" + figures.joined() + "</div>\n"
    }

    private static func table(_ section: DashboardSection) -> String {
        let count = ChartText.grouped(String(section.rowCount))
        let columns = section.header.columns
        let extent =
            section.rows.count < section.rowCount
            ? "the first \(section.rows.count) of \(count) rows" : section.rowCount == 1 ? "1 row" : "\(count) rows"
        let headings = columns.map {
            "<th scope=\"col\"\(HTMLText.alignment($0)) title=\"\(HTMLText.harmless($0.meaning))\">"
                + "\(HTMLText.harmless(ChartText.words($0.name)))</th>"
        }
        let rows = section.rows.map { row in
            let cells = zip(columns, row).map { column, value in
                "<td\(HTMLText.alignment(column))>\(HTMLText.harmless(ChartText.cell(value, of: column)))</td>"
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
            <div class="scroll" tabindex="0"><table>
            <thead><tr>\(headings.joined())</tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table></div>
            \(notes ?? "")</details>

            """
    }
}
