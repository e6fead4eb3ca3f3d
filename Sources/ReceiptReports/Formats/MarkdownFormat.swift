/// A heading, the question and a table of GitHub's Markdown.
///
/// Nothing in a value is taken for markup: what could be is escaped, a line
/// break becomes `<br>`.
struct MarkdownFormat: ReportFormat {
    func begin(_ header: ReportHeader, into text: inout String) {
        text += "# \(Self.escaped(header.title))\n\n\(Self.escaped(header.question))\n\n"
        row(header.columns.map { .text($0.name) }, into: &text)
        text += "| " + header.columns.map { $0.kind.isNumber ? "---:" : "---" }.joined(separator: " | ") + " |\n"
    }

    func row(_ values: [ReportValue], into text: inout String) {
        text += "| " + values.map { Self.escaped($0.plainText ?? "") }.joined(separator: " | ") + " |\n"
    }

    private static func escaped(_ value: String) -> String {
        var previous: Unicode.Scalar = " "
        return value.replacingScalars { scalar in
            defer { previous = scalar }
            switch scalar {
            case "\\", "|", "`", "*", "_", "[", "]", "~": return "\\\(scalar)"
            case "&": return "&amp;"
            case "<": return "&lt;"
            case ">": return "&gt;"
            case "\n": return previous == "\r" ? "" : "<br>"
            case "\r": return "<br>"
            default: return nil
            }
        }
    }
}
