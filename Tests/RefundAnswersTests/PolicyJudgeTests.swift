internal import GRDB
internal import TestSupport
internal import Testing

@testable import MillConfiguration
@testable import RefundAnswers

@Suite struct PolicyJudgeTests {
    private static let day: Int64 = 86_400_000

    /// A request on day 100 about a purchase of day 90.
    private func request(
        _ values: [String: (any DatabaseValueConvertible)?] = [:], customer: CustomerEvidence = CustomerEvidence()
    ) throws -> RefundRequest {
        let plain: [String: (any DatabaseValueConvertible)?] = [
            "purchase_id": 1, "notification_uuid": "u", "environment": "Production", "bundle_id": "com.example.app",
            "transaction_id": "1", "original_transaction_id": "1", "product_id": "coins", "reason": "OTHER",
            "requested_ms": 100 * Self.day, "product_type": 1, "purchased_ms": 90 * Self.day, "expires_ms": nil,
            "price_milliunits": 9990, "currency": "EUR", "digits": 2, "customer_account": nil,
            "app_account_token": nil, "app_transaction_id": nil, "is_shared": 0, "is_commerce": 0, "answered_ms": nil,
            "own_refunds": 0,
        ]
        var request = try #require(RefundRequest(Row(plain.merging(values) { $1 })))
        request.customer = customer
        return request
    }

    private func fits(_ when: String, _ request: RefundRequest) throws -> Bool {
        let text = "rules:\n  - name: a\n    when: {\(when)}\n    leave_open: true\n"
        let workdir = try Workdir()
        let policy = try RefundPolicy(path: workdir.write(text, to: "policy.yaml"), environment: [:])
        return PolicyJudge(policy: policy).rule(for: request) != nil
    }

    private func customer(
        _ money: [(String?, Int, Int64, Int64)], refunds: Int = 0, signals: [String] = []
    ) -> CustomerEvidence {
        var customer = CustomerEvidence()
        customer.money = money.map {
            CustomerEvidence.Money(currency: $0.0, digits: 2, purchases: $0.1, paid: $0.2, refunded: $0.3)
        }
        customer.refunds = refunds
        customer.signals = signals.map { CustomerEvidence.Signal(name: "s", severity: $0, lines: 1) }
        return customer
    }

    @Test("Conditions on the request")
    func requests() throws {
        let coins = try request()
        for when in [
            "kinds: [consumable]", "reasons: [LEGAL, OTHER]", "environments: [Production]", "apps: [com.example.app]",
            "products: [co*, x]", "days_since_purchase: {at_least: 10, at_most: 10}", "signals: [none]",
        ] { #expect(try fits(when, coins), "\(when)") }
        for when in [
            "kinds: [subscription]", "reasons: [none]", "environments: [Sandbox]", "apps: [com.example]",
            "products: [coin]", "days_since_purchase: {at_most: 9}", "used_share: {at_least: 0}", "signals: [low]",
            "kinds: [consumable], reasons: [LEGAL]",
        ] { #expect(try !fits(when, coins), "\(when)") }
        #expect(try fits("reasons: [none]", request(["reason": nil])))
        #expect(try !fits("days_since_purchase: {at_least: 0}", request(["purchased_ms": nil])))
    }

    @Test("The used share is that of subscriptions' periods, at the request")
    func usedShare() throws {
        let period: [String: (any DatabaseValueConvertible)?] = ["product_type": 3, "expires_ms": 130 * Self.day]
        #expect(try request(period).usedShare == 0.25)
        #expect(try fits("used_share: {at_least: 0.25, at_most: 0.25}", request(period)))
        #expect(try request(period.merging(["expires_ms": 95 * Self.day]) { $1 }).usedShare == 1)
        #expect(try request(period.merging(["purchased_ms": 101 * Self.day]) { $1 }).usedShare == 0)
        #expect(try request(["expires_ms": 130 * Self.day]).usedShare == nil)
        // Receipts before 2019 leave the type out.
        #expect(try request(["product_type": nil, "expires_ms": 130 * Self.day]).kind == .subscription)
        #expect(try request(["product_type": -1]).kind == .unknown)
    }

    @Test("Conditions on the customer: refunds per purchase, net value in one currency, the gravest signal")
    func customers() throws {
        let habit = try request(
            customer: customer([("EUR", 4, 40_000, 20_000)], refunds: 2, signals: ["medium", "low"]))
        for when in [
            "refunds: {at_least: 2}", "refund_share: {at_least: 0.5, at_most: 0.5}",
            "purchases: {at_least: 4, at_most: 4}",
            "net_value: {currency: eur, at_least: 20, at_most: 20.000}", "signals: [medium]",
        ] { #expect(try fits(when, habit), "\(when)") }
        for when in [
            "refunds: {at_most: 1}", "refund_share: {at_least: 0.51}", "purchases: {at_most: 3}",
            "net_value: {currency: EUR, at_least: 20.001}", "net_value: {currency: USD, at_most: 100}",
            "signals: [none, low, high]",
        ] { #expect(try !fits(when, habit), "\(when)") }
        let mixed = try request(customer: customer([("EUR", 1, 1000, 0), (nil, 1, 0, 0)]))
        #expect(try !fits("net_value: {currency: EUR, at_most: 100}", mixed))
        #expect(try !fits("refund_share: {at_most: 1}", request()))
    }

    @Test("An answer in words contains no terminal sequence, whatever a request states")
    func harmlessText() throws {
        let request = try request(["product_id": "co\u{1b}[2Jins\u{202e}\u{200b}", "reason": "a\nb"])
        let answer = ConsumptionAnswer(request: request, rule: "a", answer: RefundAnswer(), timeLeft: 3_600_000)
        #expect(
            answer.text == #"1  1 h left  no preference  co\u{1b}[2Jins\u{202e}\u{200b}  a\u{a}b  by 'a'"#)
    }

    @Test("The percentage is one that the store takes")
    func percentages() throws {
        func percentage(_ change: (inout RefundAnswer) -> Void, _ request: RefundRequest) -> Int64? {
            var answer = RefundAnswer()
            change(&answer)
            return ConsumptionAnswer(request: request, rule: "a", answer: answer, timeLeft: 0).consumptionPercentage
        }
        let coins = try request()
        let subscription = try request(["product_type": 3, "expires_ms": 130 * Self.day])
        #expect(percentage({ $0.consumptionPercentage = 33_500 }, coins) == 33_500)
        #expect(percentage({ _ in }, coins) == nil)
        #expect(percentage({ $0.consumptionPercentage = 33_500 }, subscription) == nil)
        #expect(percentage({ $0.deliveryStatus = .wrongItem }, coins) == 0)
        #expect(percentage({ $0.deliveryStatus = .wrongItem }, subscription) == nil)
        #expect(percentage({ $0.consumedOverDays = 40 }, coins) == 25_000)
        #expect(percentage({ $0.consumedOverDays = 7 }, coins) == 100_000)
        let atOnce = try request(["purchased_ms": 100 * Self.day])
        #expect(percentage({ $0.consumedOverDays = 7 }, atOnce) == 0)
        // GRANT_PRORATED goes with more than nothing alone.
        #expect(
            percentage(
                {
                    $0.consumedOverDays = 7
                    $0.refundPreference = .grantProrated
                }, atOnce) == 1)
    }
}
