/// What the store's server signs to notify an app's server of an event
/// (responseBodyV2DecodedPayload).
struct NotificationClaims: SignedClaims, Changeable {
    static let kind = "notification"

    /// `TYPE` or `TYPE/SUBTYPE`.
    var name: String
    let uuid: String
    let app: App
    /// As signed data names it.
    var environment = "Production"
    var status: Int64?
    var consumptionRequestReason: String?
    var topic = NotificationTopic.purchase
    var unknownMembers: [UnknownMember] = []
    /// Signed strings inside, by the contract's names of parts.
    var parts: [(name: String, document: SignedString)] = []
    var signedAt: CalendarTime

    var type: String { String(name.prefix { $0 != "/" }) }
    var subtype: String? { name.contains("/") ? String(name.dropFirst(type.count + 1)) : nil }
    var environmentName: String { environment == "Sandbox" ? StoreCustomer.sandboxName : environment }
    var bundleID: String? { app.bundleID }
    /// Tests state none, nor does the sandbox.
    var appleID: Int64? { type == "TEST" || environment == "Sandbox" ? nil : app.itemID }
    var unknown: [UnknownMember] {
        unknownMembers.filter { [.notification, .notificationData].contains($0.object) }
    }

    var payload: JSONText {
        let object = topic.object(in: self)
        var json: JSONText = [
            "notificationType": type, "subtype": subtype, "notificationUUID": uuid, object.key: object.json,
            "version": "2.0", "signedDate": signedAt,
        ]
        json.add(unknownMembers, of: .notification)
        return json
    }

    var signedParts: JSONText {
        let keys = [
            "transaction": "signedTransactionInfo", "renewal": "signedRenewalInfo",
            "app_transaction": "signedAppTransactionInfo",
        ]
        var json = JSONText()
        for (name, document) in parts { json.add(keys[name] ?? name, document) }
        return json
    }
}
