/// Fields with a separator between them: a header line, then a line for each row.
///
/// Spreadsheets run a field that begins like a formula, quoted or not, and senders
/// choose accounts and devices. In columns of type text such a field gets an
/// apostrophe before it (OWASP, CSV injection), unless it is to be exact.
struct DelimitedFormat: ReportFormat {
    let separator, lineEnd: String
    let field: @Sendable (ReportValue) -> String
    var isExact = false
    private var isText: [Bool] = []

    private init(separator: String, lineEnd: String, field: @escaping @Sendable (ReportValue) -> String) {
        self.separator = separator
        self.lineEnd = lineEnd
        self.field = field
    }

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

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        isText = header.columns.map { $0.kind == .text && !isExact }
        append(header.columns.map { .text($0.name) }, to: &text)
    }

    func row(_ values: [ReportValue], into text: inout String) {
        append(zip(values, isText).map { $1 ? Self.harmless($0) : $0 }, to: &text)
    }

    private func append(_ values: [ReportValue], to text: inout String) {
        for (index, value) in values.enumerated() {
            if index > 0 { text += separator }
            text += field(value)
        }
        text += lineEnd
    }

    /// A text that no spreadsheet takes for a formula; any other value as it is.
    private static func harmless(_ value: ReportValue) -> ReportValue {
        guard case .text(let text) = value, let first = text.utf8.first, formulaBeginnings.contains(first) else {
            return value
        }
        return .text("'" + text)
    }

    /// `=`, `+`, `-`, `@`, tab and CR.
    private static let formulaBeginnings: [UInt8] = [0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0d]
}
