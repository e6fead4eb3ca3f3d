/// What the store signs of an app's ownership at a moment (AppTransaction).
struct AppClaims: Sendable {
    let customer: StoreCustomer
    let signedAt: CalendarTime
    var device: DeviceVerification?
    /// Which of Apple's stores sold the app; documents of before 2026 state none.
    var storeType: String?
    var preorderedAt: CalendarTime?
    var revokedAt: CalendarTime?

    private var app: App { customer.app }
    private var release: Int { app.release(at: signedAt) }

    var appVersion: String { app.releases[release].version }
    /// As in attribute 19 of receipts.
    var originalVersion: String {
        customer.isSandbox ? "1.0" : app.releases[app.release(at: customer.installedAt)].version
    }
    var originallyPurchasedAt: CalendarTime {
        customer.isSandbox ? CalendarTime(2013, 8, 1) + 7 * CalendarTime.hour : customer.installedAt
    }
    var versionExternalID: Int64? { customer.isSandbox ? nil : 811_000_000 + Int64(release) * 1_013 }
    var originalPlatform: String? {
        signedAt < CalendarTime(2025, 2, 21) ? nil : app.platform == .ios ? "iOS" : "macOS"
    }
    /// Whether the app still had a price when the owner got it.
    var isPaidEra: Bool { app.release(at: originallyPurchasedAt) < app.firstFreeRelease }

    var payload: JSONText {
        var json = JSONText()
        json.add("receiptType", customer.environment)
        json.add("appAppleId", app.itemID)
        json.add("bundleId", app.bundleID)
        json.add("applicationVersion", appVersion)
        json.add("versionExternalIdentifier", versionExternalID)
        json.add("receiptCreationDate", signedAt)
        json.add("originalPurchaseDate", originallyPurchasedAt)
        json.add("originalApplicationVersion", originalVersion)
        device?.add(to: &json)
        if signedAt >= CalendarTime(2025, 2, 21) {
            json.add("appTransactionId", customer.appTransactionID)
        }
        json.add("originalPlatform", originalPlatform)
        json.add("storeType", storeType)
        json.add("preorderDate", preorderedAt)
        json.add("revocationDate", revokedAt)
        return json
    }
}
