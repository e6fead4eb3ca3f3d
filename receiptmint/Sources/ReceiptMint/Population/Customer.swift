/// The owner of an app: when they got it, and what they bought in it.
struct Customer: Sendable {
    let app: App
    let environment: String
    /// Absent where the app's server knows devices only.
    let accountID: String?
    let joinedAt: CalendarTime
    /// In order of purchase.
    var transactions: [Transaction] = []

    static let production = "Production"
    static let sandbox = StoreCustomer.sandboxName
    static let volumePurchase = "ProductionVPP"

    /// Between these, receipts are created.
    static let firstReceipt = CalendarTime(2018, 2, 1)
    static let lastReceipt = CalendarTime(2025, 12, 20)

    var isSandbox: Bool { environment == Self.sandbox }

    var originalVersion: String { app.originalVersion(at: joinedAt, isSandbox: isSandbox) }
    var originallyPurchasedAt: CalendarTime { App.originalPurchase(at: joinedAt, isSandbox: isSandbox) }
}
