internal import MillSystem

extension RefundPolicy: ConfigurationSection {
    static var keys: [ConfigurationKey<RefundPolicy>] {
        [
            ConfigurationKey(
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
    static var keys: [ConfigurationKey<RefundRule>] {
        [
            ConfigurationKey(
                "name", \.name, .text("a name"), isRequired: true, "The name that answers state as their reason."),
            ConfigurationKey(
                "when", \.conditions, .section,
                "What holds of requests that the rule fits, all of it; without this key the rule fits every request."),
            ConfigurationKey("answer", \.answer, .section, "What the store is answered."),
            ConfigurationKey(
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
    static var keys: [ConfigurationKey<RefundConditions>] {
        [
            ConfigurationKey(
                "environments", \.environments, .filledList("environments", of: .text("an environment")),
                "Environments, such as Production; Apple's Sandbox, TestFlight included, is ProductionSandbox."),
            ConfigurationKey(
                "apps", \.apps, .filledList("bundle identifiers", of: .text("a bundle identifier")), "Apps."),
            ConfigurationKey(
                "products", \.products, .filledList("products", of: .text("a product identifier")),
                "Products; * stands for any characters."),
            ConfigurationKey("kinds", \.kinds, .filledList("kinds", of: .word), "Kinds of products."),
            ConfigurationKey(
                "reasons", \.reasons, .filledList("reasons", of: .word),
                "Reasons that the customer gave; none where none is told."),
            ConfigurationKey(
                "refunds", \.refunds, .section, "Former refunds of the customer, without the one that is asked for."),
            ConfigurationKey(
                "refund_share", \.refundShare, .section, "Former refunds per paid purchase of the customer."),
            ConfigurationKey("purchases", \.purchases, .section, "Paid purchases of the customer, this one included."),
            ConfigurationKey(
                "net_value", \.netValue, .section,
                "What the customer paid less what was refunded. Fits only customers whose every price is known and in "
                    + "this currency."),
            ConfigurationKey(
                "signals", \.signals, .filledList("severities", of: .word),
                "Severity of the customer's gravest signal of fraud that no decision settles; none without one."),
            ConfigurationKey(
                "days_since_purchase", \.daysSincePurchase, .section, "Whole days from the purchase to the request."),
            ConfigurationKey(
                "used_share", \.usedShare, .section,
                "Share of the period that was over at the request. Fits periods of subscriptions alone."),
        ]
    }
}

extension RefundAnswer: ConfigurationSection {
    static var keys: [ConfigurationKey<RefundAnswer>] {
        [
            ConfigurationKey(
                "delivery_status", \.deliveryStatus, .word, isRequired: true, "The store's deliveryStatus."),
            ConfigurationKey(
                "sample_content_provided", \.sampleContentProvided, .flag, isRequired: true,
                "The store's sampleContentProvided: whether the customer could try the content before buying."),
            ConfigurationKey(
                "refund_preference", \.refundPreference, .word,
                "The store's refundPreference; without this key none is stated."),
            ConfigurationKey(
                "consumption_percentage", \.consumptionPercentage, .percentage,
                "How much was consumed, of all that is no subscription: the store refuses the figure of one."),
            ConfigurationKey(
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

extension CountBounds: ConfigurationSection {
    static var keys: [ConfigurationKey<CountBounds>] {
        [
            ConfigurationKey(
                "at_least", \.atLeast, .number(0...1_000_000, "refunds, purchases or days"), "The minimum number."),
            ConfigurationKey(
                "at_most", \.atMost, .number(0...1_000_000, "refunds, purchases or days"), "The maximum number."),
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) { try written.checkBounds(atLeast, atMost) }
}

extension ShareBounds: ConfigurationSection {
    static var keys: [ConfigurationKey<ShareBounds>] {
        [
            ConfigurationKey("at_least", \.atLeast, .share, "The minimum share."),
            ConfigurationKey("at_most", \.atMost, .share, "The maximum share."),
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) { try written.checkBounds(atLeast, atMost) }
}

extension MoneyBounds: ConfigurationSection {
    static var keys: [ConfigurationKey<MoneyBounds>] {
        [
            ConfigurationKey("currency", \.currency, .currency, isRequired: true, "Currency, by ISO 4217."),
            ConfigurationKey("at_least", \.atLeast, .milliunits, "The minimum amount."),
            ConfigurationKey("at_most", \.atMost, .milliunits, "The maximum amount."),
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) { try written.checkBounds(atLeast, atMost) }
}

extension ValueKind where Value == Int64 {
    /// An amount of money in thousandths.
    fileprivate static var milliunits: ValueKind { thousandths("an amount, such as 9.99", 0...1_000_000_000_000) }

    /// A percentage in thousandths of a percent, as Apple's API expects it.
    fileprivate static var percentage: ValueKind {
        thousandths("a percentage from 0 to 100, such as 33.5", 0...100_000)
    }

    /// A number with at most three decimals, multiplied by a thousand.
    private static func thousandths(_ expected: String, _ range: ClosedRange<Int64>) -> ValueKind {
        ValueKind(
            expected: expected,
            read: { (node) throws(MillError) in
                guard let text = try node.text(), let value = thousandths(of: text), range.contains(value) else {
                    throw node.fault(expected: expected)
                }
                return value
            })
    }

    private static func thousandths(of text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            parts[0].utf8.count <= 12, let whole = Int64(parts[0])
        else { return nil }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard decimals.utf8.count <= 3 else { return nil }
        return whole * 1000 + (Int64(decimals + String(repeating: "0", count: 3 - decimals.utf8.count)) ?? 0)
    }
}

extension ConfigurationNode {
    /// Refuses bounds that exclude nothing, or that nothing can satisfy.
    fileprivate func checkBounds<Bound: Comparable>(_ minimum: Bound?, _ maximum: Bound?) throws(MillError) {
        guard minimum != nil || maximum != nil else { throw fault("give at_least, at_most or both") }
        guard let minimum, let maximum, minimum > maximum else { return }
        throw fault("at_least is greater than at_most, so that nothing fits")
    }
}
