/// What a receipt states, before it is signed.
struct ReceiptClaims: Sendable, Changeable {
    var environment: String
    var app: App
    var appVersion: String
    var originalVersion: String
    var originallyPurchasedAt: CalendarTime
    var createdAt: CalendarTime
    /// Of volume purchases only.
    var expiresAt: CalendarTime?
    var downloadID: Int64
    var versionExternalID: Int64
    var opaqueValue: [UInt8]
    var deviceHash: [UInt8]
    /// With cancellations as the store knew them when it created the receipt.
    var transactions: [Transaction]

    var isSandbox: Bool { environment == Customer.sandbox }
    var itemID: Int64 { isSandbox ? 0 : app.itemID }
    var bundleID: String { app.bundleID }

    /// One installation's receipts share this across refreshes.
    var lineage: String { opaqueValue.hexadecimal + "-" + deviceHash.hexadecimal }
}
