extension UnknownMember {
    /// What one document of a purchase states, or the notification of the purchase.
    static let all: [UnknownMember] = [
        UnknownMember(object: .transaction, key: "shelfLabel", json: "\"spring\"", valueType: "string"),
        UnknownMember(object: .transaction, key: "loyaltyInfo", json: "{\"points\":12}", valueType: "object"),
        UnknownMember(object: .item, key: "giftWrap", json: "true", valueType: "boolean"),
        UnknownMember(object: .notificationData, key: "campaignIds", json: "[7,11]", valueType: "array"),
        UnknownMember(object: .transaction, key: "transactionReason", json: "\"GIFT\"", valueType: "string \"GIFT\""),
        // A price as text, so that no price is known.
        UnknownMember(object: .transaction, key: "price", json: "\"990\"", valueType: "string"),
        UnknownMember(
            object: .notification, key: "notificationType", json: "\"SHELF_CHANGE\"",
            valueType: "string \"SHELF_CHANGE\""),
        UnknownMember(object: .transaction, key: "shelfNumber", json: "4", valueType: "number"),
    ]
}
