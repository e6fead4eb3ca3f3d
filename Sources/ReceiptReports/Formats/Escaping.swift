internal import MillSystem
internal import ReportHeaders

extension String {
    /// The text with some scalars replaced. It works on scalars, because "\r\n", and a quote with a combining
    /// mark, are one `Character` each.
    func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let replacement = replacement(scalar) {
                text += replacement
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

/// Escapes text for an HTML page. All text on a page goes through this type.
enum HTMLText {
    /// The text with markup escaped, for use between tags and within quoted attributes.
    private static func escaped(_ value: String) -> String {
        value.replacingScalars {
            switch $0 {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: nil
            }
        }
    }

    /// An escaped text in which invisible characters and direction marks are made visible, because names come from
    /// untrusted archives.
    static func harmless(_ value: String) -> String { escaped(TerminalText.harmless(value)) }

    /// The same as ``harmless(_:)`` for a text of several lines; line ends are kept.
    static func harmlessLines(_ value: String) -> String { escaped(TerminalText.harmlessLines(value)) }

    /// The beginning of a table, up to its rows.
    ///
    /// - Parameter headings: HTML elements; the caption is HTML, too.
    static func beginTable(caption: String = "", _ headings: [String]) -> String {
        """
        <div class="scroll" tabindex="0"><table>
        \(caption)<thead><tr>\(headings.joined())</tr></thead>
        <tbody>

        """
    }

    /// The end of a table, after its rows.
    static func endTable(totals: [String] = []) -> String {
        "</tbody>\n" + (totals.isEmpty ? "" : "<tfoot>\n\(totals.joined())</tfoot>\n") + "</table></div>\n"
    }

    /// The HTML class of a column's cells, as an attribute.
    static func alignment(_ column: ReportColumn) -> String { column.kind.isNumber ? " class=\"number\"" : "" }
}
