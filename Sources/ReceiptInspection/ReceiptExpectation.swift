public import ReceiptTrust

/// What the user asks of receipts, beside that they be trusted.
public struct ReceiptExpectation: Sendable, Hashable {
    /// The two environments that the store's endpoint had.
    public enum Environment: String, Sendable, CaseIterable {
        case production, sandbox
    }

    /// Goes before what a line says of its device.
    public var device: DeviceIdentifier?
    public var bundleID: String?
    public var version: String?
    public var environment: Environment?
    /// When expiration dates are judged, milliseconds since 1970 UTC; nil means
    /// at the time of submission, else now.
    public var time: Int64?

    public init() {}
}
