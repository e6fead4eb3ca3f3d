/// A store account's ownership of an app, and how the app's server knows it.
struct StoreCustomer: Sendable {
    let app: App
    /// As signed data names it: `Production` or `Sandbox`.
    let environment: String
    let storefront: Storefront
    /// Identifies the store account within the app.
    let appTransactionID: String
    /// What the app's server gave the store to know the account by.
    var appAccountToken: String?
    /// Absent where the app's server knows devices only.
    var accountID: String?
    let device: Device
    /// What the device mixes into `deviceVerification`.
    let deviceVerificationID: String
    /// When the app was got; years before its purchases, for some.
    let installedAt: CalendarTime
    let joinedAt: CalendarTime

    /// Between these, strings are signed. The first weeks are from before the
    /// days in which the store left prices out.
    static let firstSigning = CalendarTime(2023, 11, 15)
    static let lastSigning = CalendarTime(2026, 9, 30)
    /// Milliseconds from the first to the last.
    static let signingSpan = lastSigning.milliseconds - firstSigning.milliseconds

    /// What views call the sandbox.
    static let sandboxName = "ProductionSandbox"

    var isSandbox: Bool { environment == "Sandbox" }

    /// What views call the environment.
    var environmentName: String { isSandbox ? StoreCustomer.sandboxName : environment }
}
