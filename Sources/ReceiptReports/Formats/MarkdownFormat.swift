internal import MillSystem
internal import ReportHeaders

/// A heading, the question and a table in GitHub's Markdown.
///
/// Characters of a value that could be markup are escaped, and a line break becomes `<br>`. Unless the output is to be
/// exact, control characters and direction marks are written visibly.
struct MarkdownFormat: ReportFormat {
    var isExact = false

    func begin(_ header: ReportHeader, into text: inout String) {
        text += "# \(escaped(header.title))\n\n"
        for paragraph in header.introduction { text += escaped(paragraph) + "\n\n" }
        row(header.columns.map { .text($0.name) }, into: &text)
        text += "| " + header.columns.map { $0.kind.isNumber ? "---:" : "---" }.joined(separator: " | ") + " |\n"
    }

    func row(_ values: [ReportValue], into text: inout String) {
        text += "| " + values.map { escaped($0.plainText ?? "") }.joined(separator: " | ") + " |\n"
    }

    private func escaped(_ value: String) -> String {
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
            // Within a cell, a tab is white space.
            case "\t": return nil
            default: return isExact ? nil : TerminalText.escape(scalar).map { "\\" + $0 }
            }
        }
    }
}
