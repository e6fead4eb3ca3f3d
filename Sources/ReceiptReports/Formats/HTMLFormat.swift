/// One self-contained page: title, question, table, meaning of the columns,
/// notes. It loads nothing and runs nothing.
struct HTMLFormat: ReportFormat {
    private var header: ReportHeader?

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        self.header = header
        let title = HTMLText.escaped(header.title)
        let headings = header.columns.map {
            "<th scope=\"col\"\(HTMLText.alignment($0))>\(HTMLText.escaped($0.name))</th>"
        }
        text += """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(String(decoding: PackageResources.report_css.dropLast(), as: UTF8.self))</style>
            <h1>\(title)</h1>
            <p>\(HTMLText.escaped(header.question))</p>
            <div class="wide"><table>
            <thead><tr>\(headings.joined())</tr></thead>
            <tbody>

            """
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        text += "<tr>"
        for (column, value) in zip(header?.columns ?? [], values) {
            text += "<td\(HTMLText.alignment(column))>\(HTMLText.escaped(value.plainText ?? ""))</td>"
        }
        text += "</tr>\n"
    }

    mutating func end(into text: inout String) {
        let columns = (header?.columns ?? []).map {
            "<dt>\(HTMLText.escaped($0.name))</dt><dd>\(HTMLText.escaped($0.meaning))</dd>\n"
        }
        let notes = header?.notes.map { "<h2>Notes</h2>\n<p class=\"notes\">\(HTMLText.escaped($0))</p>\n" }
        text += """
            </tbody>
            </table></div>
            <h2>Columns</h2>
            <dl>
            \(columns.joined())</dl>
            \(notes ?? "")</html>

            """
    }
}
