/// What the store's server signs to notify an app's server of an event
/// (responseBodyV2DecodedPayload).
struct NotificationClaims: Sendable {
    var type: String
    var subtype: String?
    let uuid: String
    let app: App
    /// As signed data names it.
    let environment: String
    var status: Int64?
    var consumptionRequestReason: String?
    var topic = NotificationTopic.purchase
    var unknownMembers: [UnknownMember] = []
    /// Signed strings inside, by the contract's names of parts.
    var parts: [(name: String, document: SignedString)] = []
    var signedAt: CalendarTime

    var typeName: String { subtype.map { type + "/" + $0 } ?? type }
    var environmentName: String { environment == "Sandbox" ? StoreCustomer.sandboxName : environment }
    /// Tests state none, nor does the sandbox.
    var appleID: Int64? { type == "TEST" || environment == "Sandbox" ? nil : app.itemID }

    var payload: JSONText {
        var json = JSONText()
        json.add("notificationType", type)
        json.add("subtype", subtype)
        json.add("notificationUUID", uuid)
        json.add(topic.key, topicJSON)
        json.add("version", "2.0")
        json.add("signedDate", signedAt)
        json.add(unknownMembers, of: .notification)
        return json
    }

    private var topicJSON: JSONText {
        switch topic {
        case .purchase: data
        case .summary(let summary): self.summary(summary)
        case .externalPurchase(let token): self.token(token)
        case .unclaimedSeats(let seats): unclaimInfo(seats)
        case .app: appData
        }
    }

    private var data: JSONText {
        var json = JSONText()
        json.add("appAppleId", appleID)
        json.add("bundleId", app.bundleID)
        if !parts.isEmpty { json.add("bundleVersion", app.releases[app.release(at: signedAt)].version) }
        json.add("environment", environment)
        addParts(to: &json)
        json.add("consumptionRequestReason", consumptionRequestReason)
        json.add("status", status)
        json.add(unknownMembers, of: .notificationData)
        return json
    }

    private func addParts(to json: inout JSONText) {
        for (name, document) in parts {
            let key =
                switch name {
                case "transaction": "signedTransactionInfo"
                case "renewal": "signedRenewalInfo"
                default: "signedAppTransactionInfo"
                }
            json.add(key, json: JSONText.string(document.text))
        }
    }

    private var appData: JSONText {
        var json = JSONText()
        json.add("appAppleId", appleID)
        json.add("bundleId", app.bundleID)
        json.add("environment", environment)
        addParts(to: &json)
        return json
    }

    private func token(_ token: NotificationTopic.ExternalToken) -> JSONText {
        var json = JSONText()
        json.add("externalPurchaseId", token.id)
        json.add("tokenCreationDate", token.createdAt)
        json.add("appAppleId", appleID)
        json.add("bundleId", app.bundleID)
        json.add("tokenType", token.type)
        json.add("tokenExpirationDate", token.expiresAt)
        return json
    }

    private func unclaimInfo(_ seats: [String]) -> JSONText {
        var json = JSONText()
        json.add("appAppleId", appleID)
        json.add("bundleId", app.bundleID)
        json.add("environment", environment)
        json.add("unclaimSeatIds", json: JSONText.array(seats.map { JSONText.string($0) }))
        return json
    }

    private func summary(_ summary: NotificationTopic.Summary) -> JSONText {
        var json = JSONText()
        json.add("requestIdentifier", uuid)
        json.add("environment", environment)
        json.add("appAppleId", appleID)
        json.add("bundleId", app.bundleID)
        json.add("productId", app.bundleID + "." + summary.product)
        json.add("storefrontCountryCodes", json: JSONText.array(summary.countries.map { JSONText.string($0) }))
        json.add("failedCount", summary.failed)
        json.add("succeededCount", summary.succeeded)
        return json
    }
}
