internal import MillSystem
internal import ReportHeaders

/// Fields with a separator between them: a header line, then a line for each row.
///
/// Strangers choose the names of accounts and devices, and people open files in terminals and spreadsheets. Unless a
/// file is to be exact, control characters and direction marks are written visibly, and ``SpreadsheetText`` keeps
/// spreadsheets from running a text as a formula.
struct DelimitedFormat: ReportFormat {
    private let separator, lineEnd: String
    private let isExact: Bool
    private let field: (String?) -> String
    private var isText: [Bool] = []

    private init(_ separator: String, _ lineEnd: String, isExact: Bool, field: @escaping (String?) -> String) {
        (self.separator, self.lineEnd, self.isExact, self.field) = (separator, lineEnd, isExact, field)
    }

    /// RFC 4180. A field is quoted if it holds a comma, a quote, CR or LF.
    ///
    /// Null is an empty field, and empty text is `""`, so that a reader can distinguish them.
    static func csv(isExact: Bool) -> DelimitedFormat {
        DelimitedFormat(",", "\r\n", isExact: isExact) { text in
            guard let text else { return "" }
            let field = isExact ? text : TerminalText.harmlessLines(text)
            guard field.isEmpty || field.utf8.contains(where: { $0 == 0x2c || $0 == 0x22 || $0 == 0x0d || $0 == 0x0a })
            else { return field }
            return "\"" + field.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
        }
    }

    /// Tab, LF, CR and backslash inside a field are written `\t`, `\n`, `\r`, `\\`. Null and an empty
    /// text are both empty fields.
    static func tsv(isExact: Bool) -> DelimitedFormat {
        DelimitedFormat("\t", "\n", isExact: isExact) { text in
            (text ?? "").replacingScalars {
                switch $0 {
                case "\t": "\\t"
                case "\n": "\\n"
                case "\r": "\\r"
                case "\\": "\\\\"
                default: isExact ? nil : TerminalText.escape($0)
                }
            }
        }
    }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        isText = header.columns.map { $0.kind == .text }
        append(header.columns.map(\.name), to: &text)
    }

    func row(_ values: [ReportValue], into text: inout String) {
        append(zip(values, isText).map { isExact ? $0.plainText : SpreadsheetText.harmless($0, isText: $1) }, to: &text)
    }

    private func append(_ texts: [String?], to text: inout String) {
        for (index, value) in texts.enumerated() {
            if index > 0 { text += separator }
            text += field(value)
        }
        text += lineEnd
    }
}
