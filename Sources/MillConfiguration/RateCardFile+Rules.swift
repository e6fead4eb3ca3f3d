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
            let spans = programs.map(\.span) + commissions.map(\.span) + taxes.map(\.span) + rounding.map(\.span)
            let all = RateCard.allDays
            let edges = Set(spans.flatMap(\.edges) + [all.lowerBound]).filter(all.contains).sorted() + [all.upperBound]
            for (kind, paidYear) in [(RateCard.Kind.subscription, 1), (.subscription, 2), (.other, 1)] {
                var last: RateCard.Rule?
                for (from, until) in zip(edges, edges.dropFirst()) {
                    guard let program = programs.last(where: { $0.span.holds(on: from) })?.program,
                        let rate = commissions.last(where: { $0.program == program && $0.span.holds(on: from) }),
                        let tax = taxes.last(where: { $0.span.holds(on: from) })
                    else { continue }
                    let commission = rate.commission(of: kind, paidYear)
                    let rounded = rounding.last {
                        $0.span.holds(on: from) && $0.commission.map { $0 == commission } ?? true
                    }
                    let rates = RateCard.Rates(
                        commission: commission, tax: tax.tax, levy: tax.levy, rounding: rounded?.round ?? .nearest)
                    if let former = last, former.rates == rates, former.days.upperBound == from {
                        last?.days = former.days.lowerBound..<until
                    } else {
                        if let last { rules.append(last) }
                        last = RateCard.Rule(
                            storefront: storefront, kind: kind, paidYear: paidYear, days: from..<until, rates: rates)
                    }
                }
                if let last { rules.append(last) }
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
