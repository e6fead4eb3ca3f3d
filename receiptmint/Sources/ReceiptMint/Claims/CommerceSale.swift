/// A sale by the Advanced Commerce API: one transaction of a generic product, with the developer's own items.
struct CommerceSale: Sendable, Equatable {
    var requestID: String
    var items: [Item]
    /// ISO 8601; none of what is bought once.
    var period: String?

    struct Item: Sendable, Equatable {
        var sku: String
        var name: String
        /// In milliunits, as all that follow.
        var price: Int64
        var refunds: [Refund] = []
        /// When access to the item ended; money may be given back without.
        var revokedAt: CalendarTime?

        fileprivate func json(at time: CalendarTime?, unknown: [UnknownMember]) -> JSONText {
            func isPast(_ event: CalendarTime) -> Bool { time.map { event <= $0 } ?? false }
            let refunds = refunds.filter { isPast($0.at) }
            var json: JSONText = [
                "SKU": sku, "description": "Everything of " + name, "displayName": name, "price": price,
                "refunds": refunds.isEmpty ? nil : refunds.map(\.json),
                "revocationDate": revokedAt.flatMap { isPast($0) ? $0 : nil },
            ]
            json.add(unknown, of: .item)
            return json
        }
    }

    struct Refund: Sendable, Equatable {
        var at: CalendarTime
        var amount: Int64
        var kind: Kind
        var reason: String

        enum Kind: String, Sendable {
            case full = "FULL"
            case prorated = "PRORATED"
            case custom = "CUSTOM"
        }

        var json: JSONText {
            ["refundAmount": amount, "refundDate": at, "refundReason": reason, "refundType": kind.rawValue]
        }
    }

    var price: Int64 { items.reduce(0) { $0 + $1.price } }

    /// Tax is a fifth on top of what the developer asks, and inside of the prices.
    private static let taxRate = "0.20"
    private var taxExclusivePrice: Int64 { (price * 10 + 6) / 12 }

    /// As a transaction that is signed at a time states it; without a time, as a renewal info does.
    func json(at time: CalendarTime? = nil, unknown: [UnknownMember] = []) -> JSONText {
        let descriptors: JSONText = ["description": "What you chose of the catalog", "displayName": "Catalog"]
        let isSold = time != nil
        return [
            "descriptors": descriptors, "requestReferenceId": requestID, "taxCode": "C003-00-2", "period": period,
            "consistencyToken": isSold ? nil : "token-" + requestID.prefix(8),
            "taxRate": isSold ? Self.taxRate : nil, "taxExclusivePrice": isSold ? taxExclusivePrice : nil,
            "estimatedTax": isSold ? price - taxExclusivePrice : nil,
            "items": items.map { $0.json(at: time, unknown: unknown) },
        ]
    }
}
