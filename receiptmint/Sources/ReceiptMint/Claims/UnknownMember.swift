/// A member, or a value, that the store might state some day.
struct UnknownMember: Sendable, Equatable {
    var object: Object
    var key: String
    var json: String
    /// As ReceiptMill names it: the JSON type, of a value of a closed list with the value.
    var valueType: String

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

    /// Where the member stands.
    enum Object: Sendable {
        case transaction, item, notification, notificationData
    }

    /// Its place in the document, without indices of arrays.
    var path: String {
        switch object {
        case .transaction, .notification: key
        case .item: "advancedCommerceInfo.items[]." + key
        case .notificationData: "data." + key
        }
    }
}

extension JSONText {
    /// Adds those that stand in an object, in the place of a member that is there.
    mutating func add(_ unknown: [UnknownMember], of object: UnknownMember.Object) {
        for member in unknown where member.object == object {
            put(member.key, WrittenJSON(json: Array(member.json.utf8)))
        }
    }
}
