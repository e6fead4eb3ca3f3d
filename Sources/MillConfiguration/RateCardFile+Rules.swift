package import MillDatabase
package import MillSystem

extension RateCard {
    /// Reads a rate card.
    ///
    /// - Throws: ``MillError`` with line and key of the first fault.
    package init(path: String) throws(MillError) {
        let file = ConfigurationFile(path: path, environment: [:], noun: "rate card", example: "rate-card.yaml")
        self = try file.read(as: RateCardFile.self).card
    }
}

extension RateCardFile {
    /// The card as a list of rules: one for each storefront, kind of product, year of paid service and span of days in
    /// which nothing changes.
    var card: RateCard {
        var rules: [RateCard.Rule] = []
        for storefront in RateCard.storefronts {
            let taxes = taxes.filter {
                Self.holds($0.storefronts, storefront) && $0.taxCategories?.contains(taxCategory) ?? true
                    && $0.sellersOf?.contains(sellerCountry) ?? true
                    && !($0.sellersNotOf?.contains(sellerCountry) ?? false)
            }
            let commissions = commissions.filter { Self.holds($0.storefronts, storefront) }
            let rounding = rounding.filter { Self.holds($0.storefronts, storefront) }
            let entries: [[any DatedEntry]] = [programs, commissions, taxes, rounding]
            let all = RateCard.allDays
            let edges =
                Set(entries.joined().flatMap { $0.edges } + [all.lowerBound]).filter(all.contains).sorted() + [
                    all.upperBound
                ]
            for (kind, paidYear) in [(RateCard.Kind.subscription, 1), (.subscription, 2), (.other, 1)] {
                let first = rules.count
                for (from, until) in zip(edges, edges.dropFirst()) {
                    guard let program = programs.last(where: { $0.holds(on: from) })?.program,
                        let rate = commissions.last(where: { $0.program == program && $0.holds(on: from) }),
                        let tax = taxes.last(where: { $0.holds(on: from) })
                    else { continue }
                    let commission = rate.commission(of: kind, paidYear)
                    let rounded = rounding.last {
                        $0.holds(on: from) && $0.commission.map { $0 == commission } ?? true
                    }
                    let rates = RateCard.Rates(
                        commission: commission, tax: tax.tax, levy: tax.levy, rounding: rounded?.round ?? .nearest)
                    if let former = rules[first...].last, former.rates == rates, former.days.upperBound == from {
                        rules[rules.count - 1].days = former.days.lowerBound..<until
                    } else {
                        rules.append(
                            RateCard.Rule(
                                storefront: storefront, kind: kind, paidYear: paidYear, days: from..<until,
                                rates: rates))
                    }
                }
            }
        }
        let digits = digits.flatMap { entry in entry.currencies.map { ($0, entry.digits) } }
        return RateCard(rules: rules, digits: Dictionary(digits) { _, last in last })
    }

    private static func holds(_ storefronts: [String]?, _ storefront: String) -> Bool {
        storefronts?.contains(storefront) ?? true
    }
}

extension CommissionRate {
    fileprivate func commission(of kind: RateCard.Kind, _ paidYear: Int) -> Int {
        switch kind {
        case .other: other
        case .subscription: paidYear == 1 ? subscription : subscriptionAfterAYear
        }
    }
}

extension ValueKind where Value == Int {
    /// A day, as days since 1970.
    static var day: ValueKind { scalar("a day such as 2026-03-15") { CivilTime.dayNumber(of: $0) } }

    /// A percentage, in millionths, which represent four decimals exactly.
    static func percentage(upTo maximum: Int) -> ValueKind {
        decimal(
            "a percentage from 0 to \(maximum) such as 15 or 8.1, with at most four decimals", decimals: 4,
            wholeDigits: 3, 0...maximum * 10_000)
    }

    /// A commission, which is always below 100 %.
    static var commission: ValueKind { percentage(upTo: 99) }
}

extension ValueKind where Value == String {
    /// A country for which there may be a storefront.
    static var storefront: ValueKind {
        scalar(
            "a country by the three letters of ISO 3166, such as DEU",
            hint: { nearestNames(to: $0, among: RateCard.storefronts, limit: 1).first.map { "did you mean \($0)?" } },
            { RateCard.storefronts.contains($0) ? $0 : nil })
    }

    static var currency: ValueKind {
        scalar("a currency by the three letters of ISO 4217, such as EUR") { CurrencyCode($0)?.letters }
    }
}

extension ValueKind where Value == [String] {
    static var storefronts: ValueKind { .filledList("countries", of: .storefront) }
}
