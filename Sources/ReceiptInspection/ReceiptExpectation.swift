package import ReceiptTrust

/// What the user asks of receipts, beside that they be trusted.
package struct ReceiptExpectation: Sendable, Hashable {
    /// The two environments that the store's endpoint had.
    package enum Environment: String, Sendable, CaseIterable {
        case production, sandbox
    }

    /// Takes precedence over the device that a line names.
    package var device: DeviceIdentifier?
    /// What signed data must have been made for; takes precedence over what a line names.
    package var deviceVerificationID: String?
    package var bundleID: String?
    package var version: String?
    package var environment: Environment?
    /// The time that expiration dates are compared with, milliseconds since 1970 UTC; nil
    /// means the time of submission, else now.
    package var time: Int64?

    package init() {}
}
