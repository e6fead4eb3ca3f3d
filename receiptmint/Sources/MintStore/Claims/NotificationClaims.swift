package import MintSigning

/// What the store's server signs to notify an app's server of an event
/// (responseBodyV2DecodedPayload).
package struct NotificationClaims: Sendable {
    package var type: String
    package var subtype: String?
    package let uuid: String
    package let app: App
    /// As signed data names it.
    package let environment: String
    package var status: Int64?
    package var consumptionRequestReason: String?
    /// Signed strings inside, by the contract's names of parts.
    package var parts: [(name: String, document: SignedString)] = []
    package let signedAt: CalendarTime

    package var typeName: String { subtype.map { type + "/" + $0 } ?? type }
    package var environmentName: String { environment == "Sandbox" ? StoreCustomer.sandboxName : environment }
    /// Tests state none, nor does the sandbox.
    package var appleID: Int64? { type == "TEST" || environment == "Sandbox" ? nil : app.itemID }

    package var payload: JSONText {
        var json = JSONText()
        json.add("notificationType", type)
        json.add("subtype", subtype)
        json.add("notificationUUID", uuid)
        json.add(subtype == "SUMMARY" ? "summary" : "data", subtype == "SUMMARY" ? summary : data)
        json.add("version", "2.0")
        json.add("signedDate", signedAt)
        return json
    }

    private var data: JSONText {
        var json = JSONText()
        json.add("appAppleId", appleID)
        json.add("bundleId", app.bundleID)
        if !parts.isEmpty { json.add("bundleVersion", app.releases[app.release(at: signedAt)].version) }
        json.add("environment", environment)
        for (name, document) in parts {
            let key = name == "transaction" ? "signedTransactionInfo" : "signedRenewalInfo"
            json.add(key, json: JSONText.string(document.text))
        }
        json.add("consumptionRequestReason", consumptionRequestReason)
        json.add("status", status)
        return json
    }

    private var summary: JSONText {
        var json = JSONText()
        json.add("requestIdentifier", uuid)
        json.add("environment", environment)
        json.add("appAppleId", appleID)
        json.add("bundleId", app.bundleID)
        json.add("productId", app.bundleID + ".pro.monthly")
        json.add("storefrontCountryCodes", json: Array("[\"USA\",\"DEU\"]".utf8))
        json.add("failedCount", 3)
        json.add("succeededCount", 997)
        return json
    }
}
