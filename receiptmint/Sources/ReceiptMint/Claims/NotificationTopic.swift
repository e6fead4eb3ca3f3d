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
        let app = claims.app
        let appMembers: JSONText = ["appAppleId": claims.appleID, "bundleId": app.bundleID]
        let environment: JSONText = ["environment": claims.environment]
        switch self {
        case .purchase:
            let version = claims.parts.isEmpty ? nil : app.releases[app.release(at: claims.signedAt)].version
            var data = JSONText(
                joining: appMembers, ["bundleVersion": version], environment, claims.signedParts,
                ["consumptionRequestReason": claims.consumptionRequestReason, "status": claims.status])
            data.add(claims.unknownMembers, of: .notificationData)
            return ("data", data)
        case .summary(let summary):
            let outcome: JSONText = [
                "productId": app.bundleID + "." + summary.product, "storefrontCountryCodes": summary.countries,
                "failedCount": summary.failed, "succeededCount": summary.succeeded,
            ]
            return ("summary", JSONText(joining: ["requestIdentifier": claims.uuid], environment, appMembers, outcome))
        case .externalPurchase(let token):
            let created: JSONText = ["externalPurchaseId": token.id, "tokenCreationDate": token.createdAt]
            let terms: JSONText = ["tokenType": token.type, "tokenExpirationDate": token.expiresAt]
            return ("externalPurchaseToken", JSONText(joining: created, appMembers, terms))
        case .unclaimedSeats(let seats):
            return ("unclaimInfo", JSONText(joining: appMembers, environment, ["unclaimSeatIds": seats]))
        case .app: return ("appData", JSONText(joining: appMembers, environment, claims.signedParts))
        }
    }
}
