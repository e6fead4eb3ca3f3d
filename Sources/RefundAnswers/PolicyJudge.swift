internal import MillConfiguration
internal import MillSystem

/// Finds the rule of a policy that decides a request.
struct PolicyJudge {
    let policy: RefundPolicy

    func rule(for request: RefundRequest) -> RefundRule? { policy.rules.first { Self.fits($0.conditions, request) } }

    private static func fits(_ conditions: RefundConditions, _ request: RefundRequest) -> Bool {
        isAmong(conditions.environments, request.environment)
            && isAmong(conditions.apps, request.app)
            && (conditions.products.isEmpty
                || conditions.products.contains {
                    matches(Array((request.product ?? "").utf8)[...], Array($0.utf8)[...])
                })
            && (conditions.kinds.isEmpty || conditions.kinds.contains(request.kind))
            && isAmong(conditions.reasons.map(\.rawValue), request.reason ?? "none")
            && (conditions.refunds?.contain(request.customer.refunds) ?? true)
            && holds(conditions.refundShare, of: request.customer.refundShare)
            && (conditions.purchases?.contain(request.customer.purchases) ?? true)
            && (conditions.netValue.map { holds($0, request.customer) } ?? true)
            && (conditions.signals.isEmpty || conditions.signals.contains(request.customer.grade))
            && (conditions.daysSincePurchase.map { bounds in
                request.daysSincePurchase.map { bounds.contain(Int($0)) } ?? false
            } ?? true)
            && holds(conditions.usedShare, of: request.usedShare)
    }

    /// Whether a text of a document is among the names, compared byte for byte.
    private static func isAmong(_ names: [String], _ name: String) -> Bool {
        names.isEmpty || names.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    private static func holds(_ bounds: Bounds<Double>?, of share: Double?) -> Bool {
        guard let bounds else { return true }
        return share.map(bounds.contain) ?? false
    }

    /// Only money in a single currency is compared: with several, or without any price, part of the customer's value
    /// would be left out.
    private static func holds(_ bounds: MoneyBounds, _ customer: CustomerEvidence) -> Bool {
        guard let money = customer.money.first, customer.money.count == 1 else { return false }
        return money.currency == bounds.currency && bounds.milliunits.contain(money.net)
    }

    /// Whether a product identifier matches a pattern in which `*` matches any bytes.
    static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        var (text, pattern) = (text, pattern)
        var afterStar: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
        while let byte = text.first {
            if pattern.first == UInt8(ascii: "*") {
                pattern.removeFirst()
                afterStar = (pattern, text)
            } else if pattern.first == byte {
                pattern.removeFirst()
                text.removeFirst()
            } else if let star = afterStar {
                (pattern, text) = (star.pattern, star.text.dropFirst())
                afterStar = (pattern, text)
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
