/// A heading, the question and a table of GitHub's Markdown.
///
/// Nothing in a value is taken for markup: what could be is escaped, a line
/// break becomes `<br>`.
struct MarkdownFormat: ReportFormat {
    mutating func begin(_ header: ReportHeader, into text: inout String) {
        text += "# \(Self.escaped(header.title))\n\n\(Self.escaped(header.question))\n\n"
        text += "| " + header.columns.map { Self.escaped($0.name) }.joined(separator: " | ") + " |\n"
        text += "| " + header.columns.map { $0.kind.isNumber ? "---:" : "---" }.joined(separator: " | ") + " |\n"
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        text += "| " + values.map { Self.escaped($0.plainText ?? "") }.joined(separator: " | ") + " |\n"
    }

    mutating func end(into text: inout String) {}

    private static func escaped(_ value: String) -> String {
        var text = ""
        var previous: Unicode.Scalar = " "
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\", "|", "`", "*", "_", "[", "]", "~": text += "\\\(scalar)"
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\n": text += previous == "\r" ? "" : "<br>"
            case "\r": text += "<br>"
            default: text.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return text
    }
}
