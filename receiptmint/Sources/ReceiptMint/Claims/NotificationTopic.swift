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
