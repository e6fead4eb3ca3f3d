/// What a receipt states, before it is signed.
struct ReceiptClaims: Sendable, Changeable {
    let customer: Customer
    var appVersion: String
    let createdAt: CalendarTime
    let downloadID: Int64
    let opaqueValue: [UInt8]
    var deviceHash: [UInt8]
    /// With cancellations as the store knew them when it created the receipt.
    var transactions: [Transaction]

    var app: App { customer.app }
    var environment: String { customer.environment }
    var isSandbox: Bool { customer.isSandbox }
    /// Of volume purchases only.
    var expiresAt: CalendarTime? { environment == Customer.volumePurchase ? createdAt.truncated + .days(365) : nil }
    var versionExternalID: Int64 { isSandbox ? 0 : app.versionExternalID(at: createdAt) }
    var itemID: Int64 { isSandbox ? 0 : app.itemID }
    var bundleID: String { app.bundleID }

    /// What a purchase is known by.
    func key(of transaction: Transaction) -> String { "\(environment) \(bundleID) \(transaction.id)" }
    /// One installation's receipts share this across refreshes.
    var lineage: String { opaqueValue.hexadecimal + "-" + deviceHash.hexadecimal }
}
