package import MintSigning

/// What a notification is about: one of its top-level objects.
package enum NotificationTopic: Sendable {
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

    package struct Summary: Sendable {
        package var product = "pro.monthly"
        package var countries = ["USA", "DEU"]
        package var failed: Int64 = 3
        package var succeeded: Int64 = 997
    }

    package struct ExternalToken: Sendable {
        package var id: String
        package var createdAt: CalendarTime
        /// `SERVICES` or `ACQUISITION`, and a date: of custom links only.
        package var type: String?
        package var expiresAt: CalendarTime?
    }

    var key: String {
        switch self {
        case .purchase: "data"
        case .summary: "summary"
        case .externalPurchase: "externalPurchaseToken"
        case .unclaimedSeats: "unclaimInfo"
        case .app: "appData"
        }
    }
}
