internal import MillConfiguration
internal import MillJSON
internal import MillSystem
internal import ReportHeaders

/// The answer to one request: what to send to Apple, and why.
package struct ConsumptionAnswer {
    let request: RefundRequest
    let rule: String
    let answer: RefundAnswer
    /// Milliseconds that are left before Apple stops waiting for the answer; negative after that.
    let timeLeft: Int64

    /// The answer as one line of JSON. The body is the last member, so that a script can cut it out.
    package var json: String {
        JSONText.object([
            ("notification_uuid", Self.text(request.notification)),
            ("environment", Self.text(request.environment)),
            ("bundle_id", Self.text(request.app)),
            ("transaction_id", Self.text(request.transaction)),
            ("original_transaction_id", Self.text(request.original)),
            ("product_id", Self.text(request.product)),
            ("reason", Self.text(request.reason)),
            ("requested_at", Self.time(request.requestedAt)),
            ("hours_left", hoursLeft),
            ("former_answer_at", Self.time(request.answeredAt)),
            ("rule", Self.text(rule)),
            ("evidence", evidence),
            ("body", body),
        ])
    }

    /// The answer in words, for a person at a terminal.
    package var text: String {
        TerminalText.harmless(
            "\(request.transaction)  \(hoursLeft) h left  \(answer.refundPreference?.rawValue ?? "no preference")  "
                + "\(request.product ?? "no product")  \(request.reason ?? "no reason")  by '\(rule)'")
    }

    /// The hours that are left, rounded down to hundredths, so that nobody relies on time that is over. 0 always means
    /// that no time is left; a positive number is not rounded to it.
    private var hoursLeft: String {
        let hundredths = Int64((Double(timeLeft) / 36_000).rounded(.down))
        return Self.decimal(Double(timeLeft > 0 ? max(1, hundredths) : hundredths) / 100, 2)
    }

    /// The body of `PUT /inApps/v2/transactions/consumption/{transactionId}`.
    var body: String {
        var members = [
            // Only requests with the customer's consent are answered.
            ("customerConsented", "true"),
            ("sampleContentProvided", answer.sampleContentProvided ? "true" : "false"),
            ("deliveryStatus", Self.text(answer.deliveryStatus.rawValue)),
        ]
        if let percentage = consumptionPercentage { members.append(("consumptionPercentage", String(percentage))) }
        if let preference = answer.refundPreference {
            members.append(("refundPreference", Self.text(preference.rawValue)))
        }
        return JSONText.object(members)
    }

    /// Thousandths of a percent. Apple refuses a value for an auto-renewable subscription, whose share it computes
    /// itself, and any value but 0 for what was not delivered.
    var consumptionPercentage: Int64? {
        guard request.kind != .subscription else { return nil }
        guard answer.deliveryStatus == .delivered else { return 0 }
        guard let days = answer.consumedOverDays else { return answer.consumptionPercentage }
        guard let purchasedAt = request.purchasedAt else { return nil }
        let consumed = Double(request.requestedAt - purchasedAt) / Double(Int64(days) * RefundRequest.day)
        let minimum: Int64 = answer.refundPreference == .grantProrated ? 1 : 0
        return max(minimum, Int64((min(1, max(0, consumed)) * 100_000).rounded()))
    }

    private var evidence: String {
        let customer = request.customer
        let price = request.priceMilliunits.map { MoneyAmount(milliunits: $0, digits: request.digits).text }
        return JSONText.object([
            ("kind", Self.text(request.kind.rawValue)),
            ("purchased_at", Self.time(request.purchasedAt)),
            ("expires_at", Self.time(request.expiresAt)),
            ("days_since_purchase", request.daysSincePurchase.map { Self.decimal($0, 1) } ?? "null"),
            ("used_share", request.usedShare.map { Self.decimal($0, 4) } ?? "null"),
            ("price", price ?? "null"), ("currency", Self.text(request.currency)),
            ("customer_since", Self.time(customer.firstAt)),
            ("purchases", String(customer.purchases)), ("refunds", String(customer.refunds)),
            ("refund_share", customer.refundShare.map { Self.decimal($0, 4) } ?? "null"),
            ("money", "[" + customer.money.map(Self.money).joined(separator: ",") + "]"),
            (
                "signals",
                "["
                    + customer.signals.map {
                        JSONText.object([
                            ("signal", Self.text($0.name)), ("severity", Self.text($0.severity)),
                            ("lines", String($0.lines)),
                        ])
                    }.joined(separator: ",") + "]"
            ),
        ])
    }

    private static func money(_ money: CustomerEvidence.Money) -> String {
        guard let currency = money.currency else {
            return JSONText.object([("currency", "null"), ("purchases", String(money.purchases))])
        }
        func amount(_ milliunits: Int64) -> String { MoneyAmount(milliunits: milliunits, digits: money.digits).text }
        return JSONText.object([
            ("currency", text(currency)), ("purchases", String(money.purchases)), ("paid", amount(money.paid)),
            ("refunded", amount(money.refunded)), ("net", amount(money.net)),
        ])
    }

    private static func text(_ text: String?) -> String { text.map(JSONText.quoted) ?? "null" }

    private static func time(_ milliseconds: Int64?) -> String {
        text(milliseconds.map { CivilTime.iso8601(milliseconds: CivilTime.seconds(ofMilliseconds: $0) * 1000) })
    }

    /// A number rounded to decimals, without an exponent.
    private static func decimal(_ number: Double, _ places: Int) -> String {
        let scale = [1.0, 10, 100, 1000, 10_000][places]
        let units = Int64((number * scale).rounded())
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        var fraction = String(rest + UInt64(scale)).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return (units < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
