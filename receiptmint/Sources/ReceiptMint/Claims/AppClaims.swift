/// What the store signs of an app's ownership at a moment (AppTransaction).
struct AppClaims: SignedClaims {
    static let kind = "app_transaction"

    let customer: StoreCustomer
    let signedAt: CalendarTime
    var device: DeviceVerification?
    /// Which of Apple's stores sold the app; documents of before 2026 state none.
    var storeType: String?
    var preorderedAt: CalendarTime?
    var revokedAt: CalendarTime?

    private var app: App { customer.app }

    var environmentName: String { customer.environmentName }
    var bundleID: String? { app.bundleID }
    var appleID: Int64? { app.itemID }
    var appVersion: String { app.releases[app.release(at: signedAt)].version }
    var originalVersion: String { app.originalVersion(at: customer.installedAt, isSandbox: customer.isSandbox) }
    var originallyPurchasedAt: CalendarTime {
        App.originalPurchase(at: customer.installedAt, isSandbox: customer.isSandbox)
    }
    var versionExternalID: Int64? { customer.isSandbox ? nil : app.versionExternalID(at: signedAt) }
    var originalPlatform: String? { statesAccount ? app.platform == .ios ? "iOS" : "macOS" : nil }
    var ownership: PresentedDocument.Ownership {
        .init(environment: environmentName, bundleID: app.bundleID, isPaidEra: app.isPaid(at: originallyPurchasedAt))
    }

    var payload: JSONText {
        [
            "receiptType": customer.environment, "appAppleId": app.itemID, "bundleId": app.bundleID,
            "applicationVersion": appVersion, "versionExternalIdentifier": versionExternalID,
            "receiptCreationDate": signedAt, "originalPurchaseDate": originallyPurchasedAt,
            "originalApplicationVersion": originalVersion,
            "deviceVerification": device?.hash, "deviceVerificationNonce": device?.nonce,
            "appTransactionId": statesAccount ? customer.appTransactionID : nil, "originalPlatform": originalPlatform,
            "storeType": storeType, "preorderDate": preorderedAt, "revocationDate": revokedAt,
        ]
    }
}
