/// What a notification is about: one of its top-level objects.
enum NotificationTopic: Sendable {
    /// `data`: a purchase, or a test.
    case purchase
    /// `summary`: what became of a request to extend the renewal dates of many.
    case summary(Summary)
    /// `externalPurchaseToken`: a purchase outside the store, which the developer has to report.
    case externalPurchase(ExternalToken)
    /// `unclaimInfo`: seats whose members have to leave.
    case unclaimedSeats([String])
    /// `appData`: the app itself.
    case app

    struct Summary: Sendable {
        var product = "pro.monthly"
        var countries = ["USA", "DEU"]
        var failed: Int64 = 3
        var succeeded: Int64 = 997
    }

    struct ExternalToken: Sendable {
        var id: String
        var createdAt: CalendarTime
        /// `SERVICES` or `ACQUISITION`, and a date: of custom links only.
        var type: String?
        var expiresAt: CalendarTime?
    }

    /// The object about it, as a notification holds it, and the object's name.
    func object(in claims: NotificationClaims) -> (key: String, json: JSONText) {
        let (app, appleID, environment) = (claims.app, claims.appleID, claims.environment)
        var json: JSONText = ["appAppleId": appleID, "bundleId": app.bundleID]
        switch self {
        case .purchase:
            let version = claims.parts.isEmpty ? nil : app.releases[app.release(at: claims.signedAt)].version
            json.add("bundleVersion", version)
            json.add("environment", environment)
            json.members += claims.signedParts.members
            json.add("consumptionRequestReason", claims.consumptionRequestReason)
            json.add("status", claims.status)
            json.add(claims.unknownMembers, of: .notificationData)
            return ("data", json)
        case .summary(let summary):
            let summarized: JSONText = [
                "requestIdentifier": claims.uuid, "environment": environment, "appAppleId": appleID,
                "bundleId": app.bundleID, "productId": app.bundleID + "." + summary.product,
                "storefrontCountryCodes": summary.countries, "failedCount": summary.failed,
                "succeededCount": summary.succeeded,
            ]
            return ("summary", summarized)
        case .externalPurchase(let token):
            let reported: JSONText = [
                "externalPurchaseId": token.id, "tokenCreationDate": token.createdAt, "appAppleId": appleID,
                "bundleId": app.bundleID, "tokenType": token.type, "tokenExpirationDate": token.expiresAt,
            ]
            return ("externalPurchaseToken", reported)
        case .unclaimedSeats(let seats):
            json.add("environment", environment)
            json.add("unclaimSeatIds", seats)
            return ("unclaimInfo", json)
        case .app:
            json.add("environment", environment)
            json.members += claims.signedParts.members
            return ("appData", json)
        }
    }
}
