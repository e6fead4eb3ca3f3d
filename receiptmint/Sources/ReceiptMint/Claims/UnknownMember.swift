/// A member, or a value, that the store might state some day.
struct UnknownMember: Sendable, Equatable {
    var object: Object
    var key: String
    var json: String
    /// As ReceiptMill names it: the JSON type, of a value of a closed list with the value.
    var valueType: String

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
