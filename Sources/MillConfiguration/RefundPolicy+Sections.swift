internal import MillSystem

extension RefundPolicy: ConfigurationSection {
    static var keys: [Key] {
        [
            Key(
                "rules", \.rules, .filledList("rules, each with the key name", of: .section), isRequired: true,
                "The rules. The first that fits a request decides; a request that none fits gets no answer.")
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) {
        for (index, rule) in rules.enumerated() where rules[..<index].contains(where: { $0.name == rule.name }) {
            throw written["rules"][index]["name"].fault(
                "another rule is called '\(rule.name)'", hint: "answers state the name of the rule that decided")
        }
    }
}

extension RefundRule: ConfigurationSection {
    static var keys: [Key] {
        [
            Key("name", \.name, .text("a name"), isRequired: true, "The name that answers state as their reason."),
            Key(
                "when", \.conditions, .section,
                "What holds of requests that the rule fits, all of it; without this key the rule fits every request."),
            Key("answer", \.answer, .section, "What the store is answered."),
            Key(
                "leave_open", \.leavesOpen, .flag, "No answer is written, and a person decides. In the place of answer."
            ),
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) {
        guard (answer != nil) != leavesOpen else {
            throw written.fault("a rule has either answer or leave_open: true")
        }
        guard let answer, answer.refundPreference == .grantProrated, conditions.kinds != [.subscription],
            answer.consumptionPercentage == nil, answer.consumedOverDays == nil
        else { return }
        throw written["answer"]["refund_preference"].fault(
            "GRANT_PRORATED needs consumption_percentage or consumed_over_days",
            hint: "the store works the share out of subscriptions alone: add when: {kinds: [subscription]}")
    }
}

extension RefundConditions: ConfigurationSection {
    static var keys: [Key] {
        [
            Key(
                "environments", \.environments, .filledList("environments", of: .text("an environment")),
                "Environments, such as Production; Apple's Sandbox, TestFlight included, is ProductionSandbox."),
            Key("apps", \.apps, .filledList("bundle identifiers", of: .text("a bundle identifier")), "Apps."),
            Key(
                "products", \.products, .filledList("products", of: .text("a product identifier")),
                "Products; * stands for any characters."),
            Key("kinds", \.kinds, .filledList("kinds", of: .word), "Kinds of products."),
            Key(
                "reasons", \.reasons, .filledList("reasons", of: .word),
                "Reasons that the customer gave; none where none is told."),
            Key("refunds", \.refunds, .section, "Former refunds of the customer, without the one that is asked for."),
            Key("refund_share", \.refundShare, .section, "Former refunds per paid purchase of the customer."),
            Key("purchases", \.purchases, .section, "Paid purchases of the customer, this one included."),
            Key(
                "net_value", \.netValue, .section,
                "What the customer paid less what was refunded. Fits only customers whose every price is known and in "
                    + "this currency."),
            Key(
                "signals", \.signals, .filledList("severities", of: .word),
                "Severity of the customer's gravest signal of fraud that no decision settles; none without one."),
            Key("days_since_purchase", \.daysSincePurchase, .section, "Whole days from the purchase to the request."),
            Key(
                "used_share", \.usedShare, .section,
                "Share of the period that was over at the request. Fits periods of subscriptions alone."),
        ]
    }
}

extension RefundAnswer: ConfigurationSection {
    static var keys: [Key] {
        [
            Key("delivery_status", \.deliveryStatus, .word, isRequired: true, "The store's deliveryStatus."),
            Key(
                "sample_content_provided", \.sampleContentProvided, .flag, isRequired: true,
                "The store's sampleContentProvided: whether the customer could try the content before buying."),
            Key(
                "refund_preference", \.refundPreference, .word,
                "The store's refundPreference; without this key none is stated."),
            Key(
                "consumption_percentage", \.consumptionPercentage, .percentage,
                "How much was consumed, of all that is no subscription: the store refuses the figure of one."),
            Key(
                "consumed_over_days", \.consumedOverDays, .number(1...3650, "days"),
                "In place of consumption_percentage: consumed evenly over so many days from the purchase, such as the "
                    + "term of a subscription that does not renew."),
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) {
        guard consumptionPercentage == nil || consumedOverDays == nil else {
            throw written["consumed_over_days"].fault("stands beside consumption_percentage", hint: "keep one of them")
        }
        if refundPreference == .grantProrated, consumptionPercentage == 0 {
            throw written["consumption_percentage"].fault("the store takes GRANT_PRORATED with more than 0 alone")
        }
        guard deliveryStatus != .delivered else { return }
        if consumptionPercentage ?? 0 > 0 || consumedOverDays != nil {
            throw written[consumedOverDays == nil ? "consumption_percentage" : "consumed_over_days"].fault(
                "the store takes no consumption of what is \(deliveryStatus.rawValue)", hint: "remove the key")
        }
    }
}

/// A type of values that a condition bounds.
protocol BoundedValue: Comparable, Sendable {
    static var kindOfBound: ValueKind<Self> { get }
    /// One word for the values, used in the meanings of keys.
    static var noun: String { get }
}

extension Int: BoundedValue {
    static var kindOfBound: ValueKind<Int> { .number(0...1_000_000, "refunds, purchases or days") }
    static var noun: String { "number" }
}

extension Double: BoundedValue {
    static var kindOfBound: ValueKind<Double> { .share }
    static var noun: String { "share" }
}

/// An amount of money in thousandths.
extension Int64: BoundedValue {
    static var kindOfBound: ValueKind<Int64> {
        .decimal("an amount, such as 9.99", decimals: 3, 0...1_000_000_000_000)
    }
    static var noun: String { "amount" }
}

extension Bounds: ConfigurationSection where Value: BoundedValue {
    static var keys: [Key] { keys(of: \.self) }

    static func keys<Section>(of bounds: WritableKeyPath<Section, Bounds>) -> [ConfigurationKey<Section>] {
        [
            ConfigurationKey(
                "at_least", bounds.appending(path: \.atLeast), Value.kindOfBound, "The minimum \(Value.noun)."),
            ConfigurationKey(
                "at_most", bounds.appending(path: \.atMost), Value.kindOfBound, "The maximum \(Value.noun)."),
        ]
    }

    /// Refuses bounds that exclude nothing, or that nothing can satisfy.
    func check(_ written: ConfigurationNode) throws(MillError) {
        guard atLeast != nil || atMost != nil else { throw written.fault("give at_least, at_most or both") }
        guard let atLeast, let atMost, atLeast > atMost else { return }
        throw written.fault("at_least is greater than at_most, so that nothing fits")
    }
}

extension MoneyBounds: ConfigurationSection {
    static var keys: [Key] {
        [Key("currency", \.currency, .currency, isRequired: true, "Currency, by ISO 4217.")]
            + Bounds.keys(of: \.milliunits)
    }

    func check(_ written: ConfigurationNode) throws(MillError) { try milliunits.check(written) }
}

extension ValueKind where Value == Int64 {
    /// A percentage in thousandths of a percent, as Apple's API expects it.
    fileprivate static var percentage: ValueKind {
        decimal("a percentage from 0 to 100, such as 33.5", decimals: 3, 0...100_000)
    }
}
