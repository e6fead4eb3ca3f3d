extension SignedField {
    /// The fields of sales by the Advanced Commerce API. Apple's pages about these fields have no text, so the meanings
    /// are derived from the names in Apple's server libraries.
    static let commerce: [SignedField] = [
        .init(
            "advancedCommerceInfo", .structure, of: sold, since: "1.14",
            "what the app sells by the Advanced Commerce API"),
        info("period", .text, "commerce_period", "length of a period (ISO 8601)"),
        info("requestReferenceId", .text, "request_reference_id", "the app's request"),
        info("consistencyToken", .text, "consistency_token", "state of the subscription for the app's next request"),
        info("taxCode", .text, "tax_code", "kind of product for taxes"),
        info("taxRate", .text, "tax_rate", "rate of the tax"),
        info(
            "taxExclusivePrice", .amount, "tax_exclusive_price_milliunits",
            "price without tax, in thousandths of the currency"),
        info("estimatedTax", .amount, "estimated_tax_milliunits", "tax, estimated, in thousandths of the currency"),
        .init(
            "descriptors", .structure, of: sold, at: .inside("advancedCommerceInfo"), since: "1.14",
            "names that the customer sees"),
        .init(
            "displayName", .text, of: sold, at: .inside("descriptors"), column: "display_name", since: "1.14",
            "name that the customer sees"),
        .init(
            "description", .text, of: sold, at: .inside("descriptors"), column: "description", since: "1.14",
            "description that the customer sees"),
        .init("items", .list, of: sold, at: .inside("advancedCommerceInfo"), since: "1.14", "what was sold"),
        item("SKU", .text, "sku", "the item"),
        item("displayName", .text, "display_name", "name of the item that the customer sees"),
        item("description", .text, "description", "description of the item that the customer sees"),
        item("price", .amount, "price_milliunits", "price of the item, in thousandths of the currency"),
        item("revocationDate", .date, "revoked_date", "when access to the item ended"),
        .init("offer", .structure, of: sold, at: .inside("items"), since: "1.14", "offer of the item"),
        .init(
            "period", .text, of: sold, at: .inside("offer"), column: "offer_period", since: "1.14",
            "length of one period of the offer (ISO 8601)"),
        .init(
            "periodCount", .integer, of: sold, at: .inside("offer"), column: "offer_period_count", since: "1.14",
            "number of periods of the offer"),
        .init(
            "price", .amount, of: sold, at: .inside("offer"), column: "offer_price_milliunits", since: "1.14",
            "price of the offer, in thousandths of the currency"),
        .init(
            "reason", .text, of: sold, at: .inside("offer"), column: "offer_reason", since: "1.14",
            "reason of the offer", values: ["ACQUISITION", "WIN_BACK", "RETENTION"]),
        .init(
            "priceIncreaseInfo", .structure, of: sold, at: .inside("items"), since: "1.19",
            "a price increase of the item"),
        .init(
            "price", .amount, of: sold, at: .inside("priceIncreaseInfo"), column: "price_increase_milliunits",
            since: "1.19", "the higher price, in thousandths of the currency"),
        .init(
            "status", .text, of: sold, at: .inside("priceIncreaseInfo"), column: "price_increase_status",
            since: "1.19", "state of the price increase", values: ["SCHEDULED", "PENDING", "ACCEPTED"]),
        .init(
            "dependentSKUs", .json, of: sold, at: .inside("priceIncreaseInfo"), column: "dependent_skus",
            since: "1.19", "items whose price rises with this one"),
        item("partners", .json, "partners", "who sells the item together with the app", since: "StoreKit 27"),
        item(
            "seatPriceTiers", .json, "seat_price_tiers", "prices of seats, as the app asked for them",
            since: "StoreKit 27.3"),
        .init("refunds", .list, of: sold, at: .inside("items"), since: "1.14", "refunds of the item"),
        refund("refundDate", .date, "refund_date", "when it was refunded"),
        refund("refundAmount", .amount, "refund_milliunits", "what was refunded, in thousandths of the currency"),
        refund(
            "refundType", .text, "refund_type", "refunded whole, prorated, or another amount",
            values: ["FULL", "PRORATED", "CUSTOM"]),
        refund(
            "refundReason", .text, "refund_reason", "why it was refunded",
            values: [
                "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
                "MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE",
            ]),
        refund("revokedSeatQuantity", .integer, "seats_revoked", "number of seats that were refunded"),
    ]

    private static let sold: SignedKinds = [.transaction, .renewal]

    private static func info(_ name: String, _ type: SignedFieldType, _ column: String, _ meaning: String)
        -> SignedField
    {
        .init(name, type, of: sold, at: .inside("advancedCommerceInfo"), column: column, since: "1.14", meaning)
    }

    private static func item(
        _ name: String, _ type: SignedFieldType, _ column: String, _ meaning: String, since: String = "1.14"
    ) -> SignedField {
        .init(name, type, of: sold, at: .inside("items"), column: column, since: since, meaning)
    }

    private static func refund(
        _ name: String, _ type: SignedFieldType, _ column: String, _ meaning: String, values: [String] = []
    ) -> SignedField {
        .init(name, type, of: sold, at: .inside("refunds"), column: column, since: "1.14", meaning, values: values)
    }
}
