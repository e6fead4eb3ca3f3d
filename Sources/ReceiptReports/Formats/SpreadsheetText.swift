internal import ReportHeaders

/// Text that no spreadsheet takes for a formula.
///
/// Spreadsheets run a field that begins like a formula, quoted or not. Some spreadsheets do so also after white space
/// or invisible characters, and with the wide characters of East Asian keyboards. A text that might run gets an
/// apostrophe before it (OWASP, CSV injection).
enum SpreadsheetText {
    /// A value as text that no spreadsheet runs; nil for null.
    ///
    /// - Parameter isText: whether the value's column is of texts. In other columns the sign of a number begins no
    ///   formula; anything but a number, a day or a time is treated as text there, too.
    static func harmless(_ value: ReportValue, isText: Bool) -> String? {
        guard case .text(let text) = value, mayRun(text), isText || !isPlain(text) else { return value.plainText }
        return "'" + text
    }

    /// Whether a text is made of digits and of the marks of numbers, days and times alone.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.:TZ ".utf8.contains($0) }
    }

    private static func mayRun(_ text: String) -> Bool {
        // Nearly every text begins with an ASCII letter or digit, and needs no look at properties of Unicode.
        if let byte = text.utf8.first, byte > 0x20, byte < 0x7f { return "=+-@".utf8.contains(byte) }
        guard let first = text.unicodeScalars.first(where: { !isUnseen($0) }) else { return false }
        return formulaBeginnings.contains(first) || text.utf8.first == 0x09 || text.utf8.first == 0x0d
    }

    /// Whether a scalar is white space, a control, or drawn as nothing.
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

    /// `=`, `+`, `-` and `@`, each also in its wide and its small form, and the sign of subtraction.
    private static let formulaBeginnings: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}", "\u{fe66}", "\u{fe62}", "\u{fe63}",
        "\u{fe6b}", "\u{2212}",
    ]
}
