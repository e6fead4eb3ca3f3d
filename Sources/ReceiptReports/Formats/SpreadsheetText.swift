internal import ReportHeaders

/// Text that no spreadsheet interprets as a formula.
///
/// Spreadsheets run a field that begins like a formula, quoted or not. Some do so even after white space or invisible
/// characters, and for the full-width characters of East Asian keyboards. A text that might run gets an apostrophe
/// before it (OWASP, CSV injection).
enum SpreadsheetText {
    /// The value as text that no spreadsheet runs; nil for null.
    ///
    /// - Parameter isText: whether the column contains texts. In other columns, a number's sign does not make it a
    ///   formula; any value that is no number, day or time is still treated as text.
    static func harmless(_ value: ReportValue, isText: Bool) -> String? {
        guard case .text(let text) = value, mayRun(text), isText || !isPlain(text) else { return value.plainText }
        return "'" + text
    }

    /// Whether a text consists only of digits and of the marks in numbers, days and times.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.:TZ ".utf8.contains($0) }
    }

    private static func mayRun(_ text: String) -> Bool {
        // Nearly every text begins with an ASCII letter or digit, so that Unicode properties need not be looked up.
        if let byte = text.utf8.first, byte > 0x20, byte < 0x7f { return "=+-@".utf8.contains(byte) }
        guard let first = text.unicodeScalars.first(where: { !isUnseen($0) }) else { return false }
        return formulaBeginnings.contains(first) || text.utf8.first == 0x09 || text.utf8.first == 0x0d
    }

    /// Whether a scalar is white space, a control character, or invisible.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        // Unassigned scalars and those of private use have no character in most fonts.
        case .control, .format, .privateUse, .unassigned: return true
        // U+2800 is the Braille pattern without a dot.
        default: return scalar.value == 0x2800
        }
    }

    /// `=`, `+`, `-` and `@`, each also in its full-width and its small form, and the minus sign.
    private static let formulaBeginnings: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}", "\u{fe66}", "\u{fe62}", "\u{fe63}",
        "\u{fe6b}", "\u{2212}",
    ]
}
