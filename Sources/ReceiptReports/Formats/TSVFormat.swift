/// Tab-separated values with a header line; lines end in LF.
///
/// Tab, LF, CR and backslash inside a field are written `\t`, `\n`, `\r`, `\\`.
/// Null and empty text are both an empty field.
struct TSVFormat: ReportFormat {
    mutating func begin(_ header: ReportHeader, into text: inout String) {
        text += header.columns.map(\.name).joined(separator: "\t") + "\n"
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        for (index, value) in values.enumerated() {
            if index > 0 { text += "\t" }
            for scalar in (value.plainText ?? "").unicodeScalars {
                switch scalar {
                case "\t": text += "\\t"
                case "\n": text += "\\n"
                case "\r": text += "\\r"
                case "\\": text += "\\\\"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\n"
    }

    mutating func end(into text: inout String) {}
}
