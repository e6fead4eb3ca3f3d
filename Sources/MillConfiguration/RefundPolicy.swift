internal import Foundation
package import MillSystem

/// The answers that a developer wants to give when Apple asks about a refund, from a policy file. No rule is built in.
package struct RefundPolicy: Sendable {
    /// The rules in the file's order: the first rule that matches a request decides.
    package var rules: [RefundRule] = []

    package init() {}

    /// Reads a policy file.
    ///
    /// - Throws: ``MillError`` with line and key of the first fault.
    package init(
        path: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(MillError) {
        let file = ConfigurationFile(
            path: path, environment: environment, noun: "policy file", example: "refund-policy.yaml")
        self = try file.read(as: RefundPolicy.self)
    }
}

/// One rule of a policy: the requests to which it applies, and their answer.
package struct RefundRule: Sendable {
    package var name = ""
    package var conditions = RefundConditions()
    /// The answer; nil if requests are left to a person.
    package var answer: RefundAnswer?
    var leavesOpen = false

    package init() {}
}

/// The conditions that a request has to meet. An absent condition is met by every request.
package struct RefundConditions: Sendable {
    package var environments: [String] = []
    package var apps: [String] = []
    /// Product identifiers, in which `*` matches any characters.
    package var products: [String] = []
    package var kinds: [ProductKind] = []
    package var reasons: [RefundReason] = []
    package var refunds: Bounds<Int>?
    package var refundShare: Bounds<Double>?
    package var purchases: Bounds<Int>?
    package var netValue: MoneyBounds?
    package var signals: [SignalGrade] = []
    package var daysSincePurchase: Bounds<Int>?
    package var usedShare: Bounds<Double>?

    package init() {}
}

/// The answer of a rule, without the fields that are computed from the request.
package struct RefundAnswer: Sendable {
    package var deliveryStatus = DeliveryStatus.delivered
    package var sampleContentProvided = false
    package var refundPreference: RefundPreference?
    /// Thousandths of a percent.
    package var consumptionPercentage: Int64?
    /// The number of days over which a purchase is consumed evenly.
    package var consumedOverDays: Int?

    package init() {}
}

package enum ProductKind: String, Sendable, CaseIterable {
    case consumable
    case nonConsumable = "non_consumable"
    case nonRenewing = "non_renewing"
    case subscription
    case unknown
}

/// The reasons for refunds that customers give to Apple.
package enum RefundReason: String, Sendable, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"
    case none
}

/// The severity of the most severe fraud signal.
package enum SignalGrade: String, Sendable, CaseIterable { case none, low, medium, high }

/// The values of `deliveryStatus` in Apple's API.
package enum DeliveryStatus: String, Sendable, CaseIterable {
    case delivered = "DELIVERED"
    case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
    case wrongItem = "UNDELIVERED_WRONG_ITEM"
    case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
    case other = "UNDELIVERED_OTHER"
}

/// The values of `refundPreference` in Apple's API.
package enum RefundPreference: String, Sendable, CaseIterable {
    case decline = "DECLINE"
    case grantFull = "GRANT_FULL"
    case grantProrated = "GRANT_PRORATED"
}

/// A range of values with one or both bounds.
package struct Bounds<Value: Comparable & Sendable>: Sendable {
    package var atLeast, atMost: Value?

    package init() {}

    package func contain(_ value: Value) -> Bool {
        (atLeast.map { value >= $0 } ?? true) && (atMost.map { value <= $0 } ?? true)
    }
}

package struct MoneyBounds: Sendable {
    package var currency = ""
    package var milliunits = Bounds<Int64>()

    package init() {}
}
