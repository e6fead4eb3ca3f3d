internal import ReportHeaders

/// One self-contained page: title, question, table, charts, meaning of the columns, notes. It loads nothing and runs no
/// script.
struct HTMLFormat: ReportFormat {
    let caseLinks: CaseLinks?
    let choice: ColumnChoice
    private var section: DashboardSection?
    private var shown: ShownRows?

    init(caseLinks: CaseLinks?, choice: ColumnChoice) {
        self.caseLinks = caseLinks
        self.choice = choice
    }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        section = DashboardSection(header, keptRows: 0)
        let shown = ShownRows(header, choice)
        self.shown = shown
        let title = HTMLText.harmless(header.title)
        // Rows are written as they arrive, so the charts come after the table, and a link leads to them.
        let link = header.charts.isEmpty ? "" : "<p><a href=\"#charts\">Charts</a></p>\n"
        text += """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(DashboardPage.style.dropLast())</style>
            <h1>\(title)</h1>
            \(header.introduction.map { "<p>\(HTMLText.harmlessLines($0))</p>\n" }.joined())\(link)
            """
        guard shown.triangle == nil else { return }
        let headings = shown.columns.map {
            "<th scope=\"col\"\(HTMLText.alignment($0))>\(HTMLText.harmless($0.name))</th>"
        }
        text += HTMLText.beginTable(headings)
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        section?.add(values)
        if let values = shown?.add(values) { text += line(values) }
    }

    private func line(_ values: [ReportValue?]) -> String {
        let cells = zip(shown?.columns ?? [], values).map { column, value in
            let cell = HTMLText.harmless(value?.plainText ?? "")
            let address = value.flatMap { caseLinks?.address(of: $0, in: column) }
            let linked = address.map { "<a href=\"\(HTMLText.harmless($0))\">\(cell)</a>" }
            return "<td\(HTMLText.alignment(column))>\(linked ?? cell)</td>"
        }
        return "<tr>\(cells.joined())</tr>\n"
    }

    mutating func end(into text: inout String) {
        section?.finish()
        let header = section?.header
        let charts = section.map { "<h2 id=\"charts\">Charts</h2>\n" + DashboardPage.drawing($0) }
        let columns = (header?.columns ?? []).map {
            "<dt>\(HTMLText.harmless($0.name))</dt><dd>\(HTMLText.harmless($0.meaning))</dd>\n"
        }
        let notes = header?.notes.map { "<h2>Notes</h2>\n<p class=\"notes\">\(HTMLText.harmlessLines($0))</p>\n" }
        text += shown?.triangle.map(grids) ?? endOfTable
        text += """
            \(header?.charts.isEmpty == false ? charts ?? "" : "")<h2>Columns</h2>
            <dl class="columns">
            \(columns.joined())</dl>
            \(notes ?? "")</html>

            """
    }

    private var endOfTable: String {
        let remark = (choice == .main ? shown?.leftOut : nil).map {
            "<p class=\"remark\">\($0); <code>--columns all</code> shows all.</p>\n"
        }
        return HTMLText.endTable(totals: (shown?.totalRows ?? []).map(line)) + (remark ?? "")
    }

    private func grids(_ triangle: TriangleTable) -> String {
        let tables = triangle.grids().map { grid in
            let caption = grid.name.isEmpty ? "" : "<caption>\(HTMLText.harmless(grid.name))</caption>\n"
            let headings =
                ["<th scope=\"col\">\(HTMLText.harmless(triangle.corner))</th>"]
                + grid.columns.map { "<th scope=\"col\" class=\"number\">\(HTMLText.harmless($0))</th>" }
            let lines = grid.lines.map { line in
                "<tr><th scope=\"row\">\(HTMLText.harmless(line.name))</th>"
                    + line.cells.map { "<td class=\"number\">\(HTMLText.harmless($0))</td>" }.joined() + "</tr>\n"
            }
            return HTMLText.beginTable(caption: caption, headings) + lines.joined() + HTMLText.endTable()
        }
        return tables.joined() + (triangle.isCut ? "<p class=\"remark\">\(triangle.cutRemark)</p>\n" : "")
    }
}
