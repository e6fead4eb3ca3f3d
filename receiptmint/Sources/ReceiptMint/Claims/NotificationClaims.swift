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
        var json: JSONText = [
            "notificationType": type, "subtype": subtype, "notificationUUID": uuid, topic.key: topicJSON,
            "version": "2.0", "signedDate": signedAt,
        ]
        json.add(unknownMembers, of: .notification)
        return json
    }

    private var topicJSON: JSONText {
        switch topic {
        case .purchase:
            var json: JSONText = [
                "appAppleId": appleID, "bundleId": app.bundleID,
                "bundleVersion": parts.isEmpty ? nil : app.releases[app.release(at: signedAt)].version,
                "environment": environment,
            ]
            json.members += signedParts.members
            json.add("consumptionRequestReason", consumptionRequestReason)
            json.add("status", status)
            json.add(unknownMembers, of: .notificationData)
            return json
        case .summary(let summary):
            return [
                "requestIdentifier": uuid, "environment": environment, "appAppleId": appleID,
                "bundleId": app.bundleID, "productId": app.bundleID + "." + summary.product,
                "storefrontCountryCodes": summary.countries, "failedCount": summary.failed,
                "succeededCount": summary.succeeded,
            ]
        case .externalPurchase(let token):
            return [
                "externalPurchaseId": token.id, "tokenCreationDate": token.createdAt, "appAppleId": appleID,
                "bundleId": app.bundleID, "tokenType": token.type, "tokenExpirationDate": token.expiresAt,
            ]
        case .unclaimedSeats(let seats):
            return [
                "appAppleId": appleID, "bundleId": app.bundleID, "environment": environment, "unclaimSeatIds": seats,
            ]
        case .app:
            var json: JSONText = ["appAppleId": appleID, "bundleId": app.bundleID, "environment": environment]
            json.members += signedParts.members
            return json
        }
    }

    private var signedParts: JSONText {
        let keys = [
            "transaction": "signedTransactionInfo", "renewal": "signedRenewalInfo",
            "app_transaction": "signedAppTransactionInfo",
        ]
        var json = JSONText()
        for (name, document) in parts { json.add(keys[name] ?? name, document) }
        return json
    }
}
