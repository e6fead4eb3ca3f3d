internal import MillDatabase
internal import MillSystem

extension CardSpan {
    static func keys<Section: ConfigurationSection>(
        _ span: WritableKeyPath<Section, CardSpan>
    ) -> [ConfigurationKey<Section>] {
        [
            ConfigurationKey(
                "from", span.appending(path: \.from), .day, "The first Pacific day; since ever where absent."),
            ConfigurationKey(
                "until", span.appending(path: \.until), .day, "The last Pacific day; for ever where absent."),
        ]
    }
}

extension CardOrigin {
    static func keys<Section: ConfigurationSection>(
        _ origin: WritableKeyPath<Section, CardOrigin>
    ) -> [ConfigurationKey<Section>] {
        [
            ConfigurationKey("source", origin.appending(path: \.source), .text("a text"), "Where this was read."),
            ConfigurationKey(
                "checked", origin.appending(path: \.checked), .day, "The day on which the source said so."),
        ]
    }
}

extension ValueKind where Value == Int {
    /// A day, as days since 1970.
    static var day: ValueKind {
        let expected = "a day such as 2026-03-15"
        return ValueKind<String>.text(expected).converted(written: { "\($0)" }) { (text, node) throws(MillError) in
            guard CivilTime.isDay(text) else { throw node.fault(expected: expected) }
            let fields = text.split(separator: "-").compactMap { Int($0) }
            return CivilTime.dayNumber(fields[0], fields[1], fields[2])
        }
    }

    /// A percentage, in millionths, which represent four decimals exactly.
    static func percentage(upTo maximum: Int) -> ValueKind {
        let expected = "a percentage from 0 to \(maximum) such as 15 or 8.1, with at most four decimals"
        return ValueKind<String>.text(expected).converted(written: { "\(Double($0) / 10_000)" }) {
            (text, node) throws(MillError) in
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let decimals = parts.count == 2 ? parts[1] : "0"
            guard let whole = parts.first, (1...3).contains(whole.utf8.count), (1...4).contains(decimals.utf8.count),
                (whole + decimals).utf8.allSatisfy({ (0x30...0x39).contains($0) }), let units = Int(whole),
                let millionths = Int(decimals + String(repeating: "0", count: 4 - decimals.utf8.count)),
                units * 10_000 + millionths <= maximum * 10_000
            else { throw node.fault(expected: expected) }
            return units * 10_000 + millionths
        }
    }

    /// A commission, which is always below 100 %.
    static var commission: ValueKind { percentage(upTo: 99) }
}

extension ValueKind where Value == String {
    /// A country for which there may be a storefront.
    static var storefront: ValueKind {
        let expected = "a country by the three letters of ISO 3166, such as DEU"
        return text(expected).checked { (code, node) throws(MillError) in
            guard RateCard.storefronts.contains(code) else {
                let near = nearestNames(to: code, among: RateCard.storefronts, limit: 1).first
                throw node.fault(expected: expected, hint: near.map { "did you mean \($0)?" })
            }
            return code
        }
    }

    static var currency: ValueKind {
        let expected = "a currency by the three letters of ISO 4217, such as EUR"
        return text(expected).checked { (code, node) throws(MillError) in
            guard let currency = CurrencyCode(code) else { throw node.fault(expected: expected) }
            return currency.letters
        }
    }
}

extension ValueKind where Value == [String] {
    static var storefronts: ValueKind { .filledList("countries", of: .storefront) }
}
