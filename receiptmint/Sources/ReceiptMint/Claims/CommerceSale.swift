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

        var refunded: Int64 { refunds.reduce(0) { $0 + $1.amount } }
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
    }

    var price: Int64 { items.reduce(0) { $0 + $1.price } }

    /// Tax is a fifth on top of what the developer asks, and inside of the prices.
    private static let taxRate = "0.20"
    private var taxExclusivePrice: Int64 { (price * 10 + 6) / 12 }

    private func heading() -> JSONText {
        var descriptors = JSONText()
        descriptors.add("description", "What you chose of the catalog")
        descriptors.add("displayName", "Catalog")
        var json = JSONText()
        json.add("descriptors", descriptors)
        json.add("requestReferenceId", requestID)
        json.add("taxCode", "C003-00-2")
        json.add("period", period)
        return json
    }

    private func itemJSON(_ item: Item) -> JSONText {
        var json = JSONText()
        json.add("SKU", item.sku)
        json.add("description", "Everything of " + item.name)
        json.add("displayName", item.name)
        json.add("price", item.price)
        return json
    }

    /// As a transaction that is signed at a time states it.
    func json(at time: CalendarTime, unknown: [UnknownMember]) -> JSONText {
        var json = heading()
        json.add("taxRate", Self.taxRate)
        json.add("taxExclusivePrice", taxExclusivePrice)
        json.add("estimatedTax", price - taxExclusivePrice)
        let items = items.map { item in
            var json = itemJSON(item)
            let refunds = item.refunds.filter { $0.at <= time }.map { refund in
                var json = JSONText()
                json.add("refundAmount", refund.amount)
                json.add("refundDate", refund.at)
                json.add("refundReason", refund.reason)
                json.add("refundType", refund.kind.rawValue)
                return json.encoded
            }
            if !refunds.isEmpty { json.add("refunds", json: JSONText.array(refunds)) }
            if let revokedAt = item.revokedAt, revokedAt <= time { json.add("revocationDate", revokedAt) }
            json.add(unknown, of: .item)
            return json.encoded
        }
        json.add("items", json: JSONText.array(items))
        return json
    }

    /// As a renewal info states it.
    func renewalJSON() -> JSONText {
        var json = heading()
        json.add("consistencyToken", "token-" + requestID.prefix(8))
        json.add("items", json: JSONText.array(items.map { itemJSON($0).encoded }))
        return json
    }
}
