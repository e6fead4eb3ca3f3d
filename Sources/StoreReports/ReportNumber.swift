/// Converts numbers in reports into whole thousandths.
enum ReportNumber {
    /// The character before the decimals.
    enum Style {
        case point
        case comma
    }

    /// How a file writes its numbers. The delimiter does not show this, but numbers that are valid in only one style
    /// do.
    struct Notation {
        private(set) var style: Style
        private var (points, commas) = (0, 0)
        /// The assumed style if no number of the file proves one.
        private let usual: Style

        /// Spreadsheets separate cells by semicolons if they use a decimal comma.
        init(_ delimiter: StoreFileLine.Delimiter) {
            usual = delimiter == .semicolon ? .comma : .point
            style = usual
        }

        /// Whether numbers prove one style, and none proves the other. Without proof, one group of thousands could also
        /// be three decimals.
        var isProven: Bool { (points == 0) != (commas == 0) }

        /// Counts a cell as evidence for a style.
        mutating func weigh(_ cell: ArraySlice<UInt8>) {
            let isPoint = ReportNumber.thousandths(cell, .point, takesGroup: true) != nil
            guard isPoint != (ReportNumber.thousandths(cell, .comma, takesGroup: true) != nil) else { return }
            if isPoint { points += 1 } else { commas += 1 }
            style = points == commas ? usual : points > commas ? .point : .comma
        }
    }

    /// The number in a cell, in thousandths; further decimals are rounded half away from zero. Nil if the cell is not a
    /// number, if its decimals can't be distinguished from thousands, or if the number exceeds 64 bits.
    ///
    /// - Parameter isCount: whether the number is a count, so that `1,234` can't be a fraction.
    static func thousandths(_ cell: ArraySlice<UInt8>, _ notation: Notation, isCount: Bool = false) -> Int64? {
        thousandths(cell, notation.style, takesGroup: isCount || notation.isProven)
    }

    /// Whether a cell is not a number only because the file does not show whether point or comma precedes decimals.
    static func isAmbiguous(_ cell: ArraySlice<UInt8>, _ notation: Notation) -> Bool {
        !notation.isProven && thousandths(cell, notation.style, takesGroup: true) != nil
    }

    /// The text of a number with a decimal point, and without separators of thousands.
    static func plain(_ text: String, _ notation: Notation) -> String {
        let decimal: Character = notation.style == .point ? "." : ","
        return String(text.compactMap { $0 == decimal ? "." : $0.isASCII && $0.isNumber || $0 == "-" ? $0 : nil })
    }

    /// - Parameter takesGroup: whether one group of thousands without decimals, such as `1,234`, is accepted as a
    ///   number.
    private static func thousandths(_ cell: ArraySlice<UInt8>, _ style: Style, takesGroup: Bool) -> Int64? {
        var (isNegative, isInParentheses) = (false, false)
        var digits = cell
        if digits.first == UInt8(ascii: "("), digits.last == UInt8(ascii: ")"), digits.count > 2 {
            (isNegative, isInParentheses) = (true, true)
            digits = digits.dropFirst().dropLast()
        }
        if !isInParentheses {
            if digits.starts(with: minus) {
                isNegative = true
                digits = digits.dropFirst(minus.count)
            } else if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                isNegative = sign == UInt8(ascii: "-")
                digits = digits.dropFirst()
            }
        }
        guard let parts = Parts(digits, style, takesGroup: takesGroup), !parts.isTooLarge else { return nil }
        return isNegative ? -parts.value : parts.value
    }

    /// The decimal text of a number in thousandths, such as `-12.17`.
    static func text(_ thousandths: Int64) -> String {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        let decimals = String(1000 + rest).dropFirst()
        let shown = decimals.hasSuffix("0") ? decimals.dropLast() : decimals
        return (thousandths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : "." + shown)
    }

    /// The product of two numbers in thousandths, rounded half away from zero; nil if it exceeds 64 bits.
    static func product(_ one: Int64, _ other: Int64) -> Int64? {
        let exact = Int128(one) * Int128(other)
        return Int64(exactly: (exact + (exact < 0 ? -500 : 500)) / 1000)
    }

    /// The typographic minus sign, U+2212.
    private static let minus = Array("\u{2212}".utf8)

    /// A number without its sign.
    private struct Parts {
        /// The value in thousandths.
        private(set) var value: Int64 = 0
        private(set) var isTooLarge = false

        init?(_ text: ArraySlice<UInt8>, _ style: Style, takesGroup: Bool) {
            let decimal = UInt8(ascii: style == .point ? "." : ",")
            let grouping = UInt8(ascii: style == .point ? "," : ".")
            // The digits since the last separator of thousands, the number of separators, and the number of decimals.
            var (run, groups, decimals) = (0, 0, 0)
            var (hasDecimal, hasDigit, beginsWithZero) = (false, false, false)
            var index = text.startIndex
            while index < text.endIndex {
                let byte = text[index]
                if let digit = byte.asDigit {
                    beginsWithZero = hasDigit ? beginsWithZero : digit == 0
                    hasDigit = true
                    if hasDecimal { decimals += 1 } else { run += 1 }
                    if decimals <= 3 { append(digit) } else if decimals == 4, digit >= 5 { add(1) }
                    index += 1
                } else if byte == decimal, !hasDecimal {
                    guard groups == 0 || run == 3 else { return nil }
                    hasDecimal = true
                    index += 1
                } else if !hasDecimal, let length = Self.groupingLength(text[index...], grouping) {
                    guard (1...3).contains(run), groups == 0 || run > 1, !beginsWithZero else { return nil }
                    (run, groups) = (0, groups + 1)
                    index += length
                } else {
                    return nil
                }
            }
            guard hasDigit else { return nil }
            if groups > 0, !hasDecimal {
                guard run == 3 else { return nil }
                // One group of thousands looks like three decimals in the other style.
                if groups == 1, !takesGroup, text.contains(grouping) { return nil }
            }
            for _ in 0..<max(0, 3 - decimals) { append(0) }
        }

        private mutating func append(_ digit: UInt8) {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            (value, isTooLarge) = (tens, isTooLarge || overflow)
            add(digit)
        }

        private mutating func add(_ digit: UInt8) {
            let (sum, overflow) = value.addingReportingOverflow(Int64(digit))
            (value, isTooLarge) = (sum, isTooLarge || overflow)
        }

        /// The length of a separator of thousands at the start of a text: the style's own, a space or an apostrophe;
        /// nil if there is none.
        private static func groupingLength(_ text: ArraySlice<UInt8>, _ grouping: UInt8) -> Int? {
            guard let first = text.first else { return nil }
            if first == grouping || first == UInt8(ascii: " ") || first == UInt8(ascii: "'") || first == 0xa0 {
                return 1
            }
            return spaces.first { text.starts(with: $0) }?.count
        }

        /// The no-break space, the narrow no-break space, the thin space and the typographic apostrophe.
        private static let spaces = ["\u{a0}", "\u{202f}", "\u{2009}", "\u{2019}"].map { Array($0.utf8) }
    }
}

extension UInt8 {
    /// The value of an ASCII digit; nil for any other byte.
    var asDigit: UInt8? { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self ? self - UInt8(ascii: "0") : nil }
}
