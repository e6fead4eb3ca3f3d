/// JSON, written by hand to keep the order of keys and the digits of numbers.
public enum JSONText {
    /// Appends an object; the keys are quoted already.
    static func append(_ values: [ReportValue], under keys: [String], to text: inout String) {
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
    static func append(_ value: ReportValue, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .integer(let number): text += String(number)
        case .real(let number): text += number.isFinite ? number.description : "null"
        case .text(let string): appendQuoted(string, to: &text)
        case .blob: appendQuoted(value.plainText ?? "", to: &text)
        }
    }

    /// A string literal of RFC 8259; only what has to be escaped is.
    public static func quoted(_ string: String) -> String {
        var text = ""
        appendQuoted(string, to: &text)
        return text
    }

    private static func appendQuoted(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
