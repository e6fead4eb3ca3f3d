/// One self-contained page: title, question, table, meaning of the columns,
/// notes. It loads nothing and runs nothing.
struct HTMLFormat: ReportFormat {
    private var header: ReportHeader?

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        self.header = header
        let title = HTMLText.escaped(header.title)
        text += """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            <h1>\(title)</h1>
            <p>\(HTMLText.escaped(header.question))</p>
            <div class="wide"><table>
            <thead><tr>
            """
        for column in header.columns {
            text += "<th scope=\"col\"\(Self.alignment(column))>\(HTMLText.escaped(column.name))</th>"
        }
        text += "</tr></thead>\n<tbody>\n"
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        text += "<tr>"
        for (column, value) in zip(header?.columns ?? [], values) {
            text += "<td\(Self.alignment(column))>\(HTMLText.escaped(value.plainText ?? ""))</td>"
        }
        text += "</tr>\n"
    }

    mutating func end(into text: inout String) {
        text += "</tbody>\n</table></div>\n"
        guard let header else { return }
        text += "<h2>Columns</h2>\n<dl>\n"
        for column in header.columns {
            text += "<dt>\(HTMLText.escaped(column.name))</dt><dd>\(HTMLText.escaped(column.meaning))</dd>\n"
        }
        text += "</dl>\n"
        if let notes = header.notes {
            text += "<h2>Notes</h2>\n<p class=\"notes\">\(HTMLText.escaped(notes))</p>\n"
        }
        text += "</html>\n"
    }

    private static let style = """
        :root{color-scheme:light dark}\
        body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}\
        .wide{overflow-x:auto}\
        table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
        th,td{padding:.25rem .75rem;text-align:left;vertical-align:top}\
        th{border-bottom:2px solid}td{border-bottom:1px solid color-mix(in srgb,currentColor 15%,transparent)}\
        .number{text-align:right}dt{font-weight:600}.notes{white-space:pre-line}
        """

    private static func alignment(_ column: ReportColumn) -> String {
        column.kind.isNumber ? " class=\"number\"" : ""
    }
}
