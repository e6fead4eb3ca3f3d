internal import MillSystem
internal import ReceiptFormat

/// The reason why a text is not a valid value of a parameter.
package struct UnfitValue: Error {
    /// The end of a sentence about the value, such as "is not a whole number" or "is less than 1".
    package var message: String
    /// The value that was likely meant.
    package var near: String?
}

extension ReportParameter {
    /// The value to bind for a text.
    ///
    /// Bounds that are other parameters' values are checked by ``check(_:against:)``.
    package func value(of text: String) throws(UnfitValue) -> ReportValue {
        guard let value = kind.value(of: text) else { throw UnfitValue(message: "is not \(kind.described)") }
        if case .values(let values) = range,
            let other = (kind == .texts ? ParameterKind.names(text) ?? [] : [text]).first(where: {
                !values.contains($0)
            })
        {
            throw UnfitValue(
                message: "is not one of \(values.joined(separator: ", "))"
                    + (kind == .texts ? ", or several with commas" : ""),
                near: nearestNames(to: other.lowercased(), among: values, limit: 1).first)
        }
        try check(text) { if case .value(let limit) = $0 { ("", limit) } else { nil } }
        return value
    }

    /// Refuses a value outside bounds that are other parameters' values.
    ///
    /// - Parameter others: returns the set or default text of another parameter; nil for null.
    package func check(_ text: String, against others: (String) -> String?) throws(UnfitValue) {
        try check(text) { bound in
            guard case .parameter(let name) = bound, let limit = others(name) else { return nil }
            return ("\(name), which is ", limit)
        }
    }

    /// - Parameter resolve: returns the text of a bound and its name in messages; nil for a bound that is not checked.
    private func check(
        _ text: String, _ resolve: (ParameterBound) -> (name: String, limit: String)?
    ) throws(UnfitValue) {
        guard case .bounds(let minimum, let maximum) = range else { return }
        if let (name, limit) = minimum.flatMap(resolve), kind.precedes(text, limit) {
            throw UnfitValue(message: "is \(kind.isTime ? "before" : "less than") \(name)\(limit)")
        }
        if let (name, limit) = maximum.flatMap(resolve), kind.precedes(limit, text) {
            throw UnfitValue(message: "is \(kind.isTime ? "after" : "more than") \(name)\(limit)")
        }
    }
}

extension ParameterKind {
    /// Whether values have an order, which bounds need.
    var isOrdered: Bool { isTime || self == .integer || self == .real }

    var isTime: Bool { [.date, .month, .monthOrAll].contains(self) }

    /// Whether the first value comes before the second.
    fileprivate func precedes(_ first: String, _ second: String) -> Bool {
        // The value `all` is neither before nor after a month.
        if self == .monthOrAll, [first, second].contains("all") { return false }
        return switch (value(of: first), value(of: second)) {
        case (.integer(let first), .integer(let second)): first < second
        case (.real(let first), .real(let second)): first < second
        case (.text(let first), .text(let second)): first < second
        default: first < second
        }
    }

    /// The kind in words that follow "is not".
    var described: String {
        switch self {
        case .text: "a text"
        case .texts: "a list of words separated by commas"
        case .integer: "a whole number of 64 bits"
        case .real: "a number such as 0.5"
        case .date: "a day such as 2024-02-29"
        case .month: "a month such as 2024-02"
        case .monthOrAll: "a month such as 2024-02, a day of it, or all"
        case .currency: "three letters of ISO 4217 such as EUR, or none"
        case .bundle: "a bundle identifier, or all"
        case .environments: "names of environments separated by commas, or all by itself"
        }
    }

    /// The value to bind for a text; nil if the text is not of this kind.
    package func value(of text: String) -> ReportValue? {
        switch self {
        case .text: .text(text)
        case .texts: Self.names(text).map { .text($0.joined(separator: ",")) }
        case .integer: Int64(text).map(ReportValue.integer)
        case .real: Self.isDecimal(text) ? Double(text).flatMap { $0.isFinite ? .real($0) : nil } : nil
        case .date: CivilTime.isDay(text) ? .text(text) : nil
        case .month: CivilTime.isDay(text + "-01") ? .text(text) : nil
        // A day means its month.
        case .monthOrAll:
            text == "all" ? .text(text) : Self.month.value(of: CivilTime.isDay(text) ? String(text.prefix(7)) : text)
        case .currency: text == "none" ? .text(text) : CurrencyCode(text).map { .text($0.letters) }
        case .bundle: text.isEmpty ? nil : .text(text)
        case .environments:
            // The word all can't be combined with others.
            Self.names(text).flatMap { names in
                names.count > 1 && names.contains("all") ? nil : .text(names.joined(separator: ","))
            }
        }
    }

    package func accepts(_ text: String) -> Bool { value(of: text) != nil }

    /// The names in a comma-separated list; nil if one is empty.
    fileprivate static func names(_ text: String) -> [String]? {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        return names.contains("") ? nil : names
    }

    /// Whether a text is a decimal number. Swift's own conversion also accepts hexadecimal digits and words.
    private static func isDecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    }
}
