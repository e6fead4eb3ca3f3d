internal import ReceiptFormat
package import ReceiptTrust

/// What the user asks of receipts, beside that they be trusted.
package struct ReceiptExpectation: Sendable, Hashable {
    /// The two environments that the store's endpoint had.
    package enum Environment: String, Sendable, CaseIterable {
        case production, sandbox

        /// The one that a document is of by the environment that it states; nil for a name
        /// that is not known. Test stores, Xcode's and that of StoreKit's local testing, count as the sandbox.
        init?(ofDocument name: DocumentText) {
            switch name {
            case "Production", "ProductionVPP": self = .production
            case "ProductionSandbox", "ProductionVPPSandbox", "Sandbox", "Xcode", "LocalTesting": self = .sandbox
            default: return nil
            }
        }
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
