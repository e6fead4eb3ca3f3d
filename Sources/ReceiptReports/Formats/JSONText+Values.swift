internal import MillJSON

extension JSONText {
    /// Appends an object; the keys are quoted already.
    package static func append(_ values: [ReportValue], under keys: [String], to text: inout String) {
        text += "{"
        for (index, (key, value)) in zip(keys, values).enumerated() {
            if index > 0 { text += "," }
            text += key
            text += ":"
            append(value, to: &text)
        }
        text += "}"
    }

    /// Appends a value; a real that JSON has no number for is null.
    package static func append(_ value: ReportValue, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .integer(let number): text += String(number)
        case .real(let number): text += number.isFinite ? number.description : "null"
        case .text(let string): appendQuoted(string, to: &text)
        case .blob: appendQuoted(value.plainText ?? "", to: &text)
        }
    }
}
