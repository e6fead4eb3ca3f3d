/// Numbers of reports as whole thousandths.
enum ReportNumber {
    /// Which character stands before the decimals.
    enum Style {
        case point
        case comma
    }

    /// Thousandths of the number that a cell states, further decimals rounded half away from zero; nil for what is no
    /// number, for a number whose decimals can't be told from thousands, and for one that 64 bits don't hold.
    ///
    /// - Parameter isCount: whether the number counts things, so that `1,234` can't be a fraction.
    static func thousandths(_ cell: ArraySlice<UInt8>, _ style: Style = .point, isCount: Bool = false) -> Int64? {
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
        guard let parts = Parts(digits, style, isCount: isCount), !parts.isTooLarge else { return nil }
        return isNegative ? -parts.value : parts.value
    }

    /// Thousandths as people write the number, `-12.17`.
    static func text(_ thousandths: Int64) -> String {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        let decimals = String(1000 + rest).dropFirst()
        let shown = decimals.hasSuffix("0") ? decimals.dropLast() : decimals
        return (thousandths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : "." + shown)
    }

    /// The product of two numbers in thousandths, rounded half away from zero; nil where 64 bits don't hold it.
    static func product(_ one: Int64, _ other: Int64) -> Int64? {
        let exact = Int128(one) * Int128(other)
        return Int64(exactly: (exact + (exact < 0 ? -500 : 500)) / 1000)
    }

    /// The minus sign of typesetting, U+2212.
    private static let minus = Array("\u{2212}".utf8)

    /// Which style a number proves; nil where both are possible.
    static func style(of cell: ArraySlice<UInt8>) -> Style? {
        var places: [UInt8: [Int]] = [:]
        for (place, byte) in cell.enumerated() {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: ","): places[byte, default: []].append(place)
            default: continue
            }
        }
        let (points, commas) = (places[UInt8(ascii: ".")] ?? [], places[UInt8(ascii: ",")] ?? [])
        switch (points.last, commas.last) {
        case (nil, nil): return nil
        case (let point?, let comma?): return point > comma ? .point : .comma
        case (let last?, nil):
            if points.count > 1 { return .comma }
            return cell.count - last == 4 ? nil : .point
        case (nil, let last?):
            if commas.count > 1 { return .point }
            return cell.count - last == 4 ? nil : .comma
        }
    }

    /// A number without its sign.
    private struct Parts {
        /// Thousandths.
        private(set) var value: Int64 = 0
        private(set) var isTooLarge = false

        init?(_ text: ArraySlice<UInt8>, _ style: Style, isCount: Bool) {
            let decimal = UInt8(ascii: style == .point ? "." : ",")
            let grouping = UInt8(ascii: style == .point ? "," : ".")
            // Digits before the decimals since the last sign between thousands, the number of these signs, and digits of
            // the decimals.
            var (run, groups, decimals) = (0, 0, 0)
            var (hasDecimal, hasDigit) = (false, false)
            var index = text.startIndex
            while index < text.endIndex {
                let byte = text[index]
                if let digit = byte.asDigit {
                    hasDigit = true
                    if hasDecimal { decimals += 1 } else { run += 1 }
                    if decimals <= 3 { append(digit) } else if decimals == 4, digit >= 5 { add(1) }
                    index += 1
                } else if byte == decimal, !hasDecimal {
                    guard groups == 0 || run == 3 else { return nil }
                    hasDecimal = true
                    index += 1
                } else if !hasDecimal, let length = Self.groupingLength(text[index...], grouping) {
                    guard (1...3).contains(run), groups == 0 || run > 1 else { return nil }
                    (run, groups) = (0, groups + 1)
                    index += length
                } else {
                    return nil
                }
            }
            guard hasDigit else { return nil }
            if groups > 0, !hasDecimal {
                guard run == 3 else { return nil }
                // One group of thousands looks like three decimals of the other style.
                if groups == 1, !isCount, style == .point, text.contains(grouping) { return nil }
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

        /// The length of a sign between thousands at the start of a text: the style's, a space, an apostrophe.
        private static func groupingLength(_ text: ArraySlice<UInt8>, _ grouping: UInt8) -> Int? {
            guard let first = text.first else { return nil }
            if first == grouping || first == UInt8(ascii: " ") || first == UInt8(ascii: "'") || first == 0xa0 {
                return 1
            }
            return spaces.first { text.starts(with: $0) }?.count
        }

        /// No-break space, its narrow form, thin space and the apostrophe of typesetting.
        private static let spaces = ["\u{a0}", "\u{202f}", "\u{2009}", "\u{2019}"].map { Array($0.utf8) }
    }
}

extension UInt8 {
    /// The value of a digit of ASCII.
    var asDigit: UInt8? { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self ? self - UInt8(ascii: "0") : nil }
}
