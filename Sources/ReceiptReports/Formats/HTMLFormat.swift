/// One self-contained page: title, question, table, charts, meaning of the columns,
/// notes. It loads nothing and runs nothing.
struct HTMLFormat: ReportFormat {
    let caseLinks: CaseLinks?
    private var section: DashboardSection?

    init(caseLinks: CaseLinks?) { self.caseLinks = caseLinks }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        section = DashboardSection(
            header, settings: [], days: CalendarAxis.days(around: nil, 0...0), keptRows: 0)
        let title = HTMLText.escaped(header.title)
        let headings = header.columns.map {
            "<th scope=\"col\"\(HTMLText.alignment($0))>\(HTMLText.escaped($0.name))</th>"
        }
        // Rows are written as they come, and what is drawn of them stands behind.
        let link = header.charts.isEmpty ? "" : "<p><a href=\"#charts\">Charts</a></p>\n"
        text += """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(DashboardPage.style.dropLast())</style>
            <h1>\(title)</h1>
            <p>\(HTMLText.escaped(header.question))</p>
            \(link)<div class="scroll" tabindex="0"><table>
            <thead><tr>\(headings.joined())</tr></thead>
            <tbody>

            """
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        section?.add(values)
        text += "<tr>"
        for (column, value) in zip(section?.header.columns ?? [], values) {
            let cell = HTMLText.escaped(value.plainText ?? "")
            let address = caseLinks?.address(of: value, in: column)
            let linked = address.map { "<a href=\"\(HTMLText.escaped($0))\">\(cell)</a>" }
            text += "<td\(HTMLText.alignment(column))>\(linked ?? cell)</td>"
        }
        text += "</tr>\n"
    }

    mutating func end(into text: inout String) {
        section?.finish()
        let header = section?.header
        let charts = section.map { "<h2 id=\"charts\">Charts</h2>\n" + DashboardPage.drawing($0) }
        let columns = (header?.columns ?? []).map {
            "<dt>\(HTMLText.escaped($0.name))</dt><dd>\(HTMLText.escaped($0.meaning))</dd>\n"
        }
        let notes = header?.notes.map { "<h2>Notes</h2>\n<p class=\"notes\">\(HTMLText.escaped($0))</p>\n" }
        text += """
            </tbody>
            </table></div>
            \(header?.charts.isEmpty == false ? charts ?? "" : "")<h2>Columns</h2>
            <dl class="columns">
            \(columns.joined())</dl>
            \(notes ?? "")</html>

            """
    }
}
