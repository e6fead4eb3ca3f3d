/// Comma-separated values as in RFC 4180, with a header line.
///
/// Lines end in CRLF. A field is quoted if it holds a comma, a quote, CR or LF.
/// Null is an empty field, empty text is `""`, so that the two stay apart.
struct CSVFormat: ReportFormat {
    mutating func begin(_ header: ReportHeader, into text: inout String) {
        appendLine(header.columns.map { .text($0.name) }, to: &text)
    }

    mutating func row(_ values: [ReportValue], into text: inout String) { appendLine(values, to: &text) }

    mutating func end(into text: inout String) {}

    private func appendLine(_ values: [ReportValue], to text: inout String) {
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            guard let field = value.plainText else { continue }
            if field.isEmpty || field.utf8.contains(where: Self.needsQuotes) {
                text += "\""
                // Scalars, since "\r\n" and a quote with a combining mark are one Character each.
                for scalar in field.unicodeScalars {
                    if scalar == "\"" { text += "\"" }
                    text.unicodeScalars.append(scalar)
                }
                text += "\""
            } else {
                text += field
            }
        }
        text += "\r\n"
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0d || byte == 0x0a
    }
}
