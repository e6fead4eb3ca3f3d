/// Fields with a separator between them: a header line, then a line for each row.
struct DelimitedFormat: ReportFormat, Sendable {
    let separator, lineEnd: String
    let field: @Sendable (ReportValue) -> String

    /// RFC 4180. A field is quoted if it holds a comma, a quote, CR or LF.
    ///
    /// Null is an empty field, empty text is `""`, so that the two stay apart.
    static let csv = DelimitedFormat(separator: ",", lineEnd: "\r\n") { value in
        guard let field = value.plainText else { return "" }
        guard field.isEmpty || field.utf8.contains(where: { $0 == 0x2c || $0 == 0x22 || $0 == 0x0d || $0 == 0x0a })
        else { return field }
        return "\"" + field.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
    }

    /// Tab, LF, CR and backslash inside a field are written `\t`, `\n`, `\r`, `\\`.
    /// Null and empty text are both an empty field.
    static let tsv = DelimitedFormat(separator: "\t", lineEnd: "\n") { value in
        (value.plainText ?? "").replacingScalars {
            switch $0 {
            case "\t": "\\t"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\\": "\\\\"
            default: nil
            }
        }
    }

    func begin(_ header: ReportHeader, into text: inout String) {
        row(header.columns.map { .text($0.name) }, into: &text)
    }

    func row(_ values: [ReportValue], into text: inout String) {
        for (index, value) in values.enumerated() {
            if index > 0 { text += separator }
            text += field(value)
        }
        text += lineEnd
    }
}
