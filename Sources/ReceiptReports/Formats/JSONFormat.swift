internal import MillJSON
internal import ReportHeaders

/// Objects, one on each line, with keys in the order of columns: as one array, or as JSON lines.
///
/// Integers are written in full, although a reader that treats every number as a double loses digits beyond 2^53. Money
/// is a decimal number.
struct JSONFormat: ReportFormat {
    let isArray: Bool
    private var columns: [String] = []
    private var isFirst = true

    init(isArray: Bool) { self.isArray = isArray }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        columns = header.columns.map { JSONText.quoted($0.name) }
        if isArray { text += "[" }
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        if isArray { text += isFirst ? "\n  " : ",\n  " }
        isFirst = false
        JSONText.append(values, under: columns, to: &text)
        if !isArray { text += "\n" }
    }

    func end(into text: inout String) {
        if isArray { text += isFirst ? "]\n" : "\n]\n" }
    }
}

extension JSONText {
    /// Appends an object with keys that are already quoted.
    static func append(_ values: [ReportValue], under keys: [String], to text: inout String) {
        text += "{"
        for (index, (key, value)) in zip(keys, values).enumerated() {
            text += (index > 0 ? "," : "") + key + ":"
            switch value {
            case .null: text += "null"
            case .integer(let number): text += String(number)
            case .money(let amount): text += amount.text
            // JSON has no number for infinities and NaN, which become null.
            case .real(let number): text += number.isFinite ? number.description : "null"
            case .text, .blob: appendQuoted(value.plainText ?? "", to: &text)
            }
        }
        text += "}"
    }
}
