internal import Foundation

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

    /// What views call the sandbox.
    static let sandboxName = "ProductionSandbox"

    var isSandbox: Bool { environment == "Sandbox" }

    /// What views call the environment.
    var environmentName: String { isSandbox ? StoreCustomer.sandboxName : environment }
}

extension SeededRandom {
    /// A random UUID in lower case.
    mutating func uuid() -> String { UUID(version4: bytes(16)).uuidString.lowercased() }
}

extension UUID {
    /// Version 4, variant 1 (RFC 9562 5.4), of sixteen random bytes.
    init(version4 bytes: [UInt8]) {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
