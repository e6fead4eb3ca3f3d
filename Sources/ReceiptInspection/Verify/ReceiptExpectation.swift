internal import ReceiptFormat
package import ReceiptTrust

/// The two environments of the App Store's verifyReceipt endpoint.
package enum StoreEnvironment: String, Sendable, CaseIterable {
    case production, sandbox

    /// The environments by the names that Apple's documents state.
    private static let names: [DocumentText: StoreEnvironment] = [
        "Production": .production, "ProductionVPP": .production,
        "ProductionSandbox": .sandbox, "ProductionVPPSandbox": .sandbox, "Sandbox": .sandbox,
    ]

    /// The environment of a document, by the name that the document states; nil for an unknown name. The local test
    /// environments, Xcode and StoreKit's local testing, count as the sandbox.
    init?(ofDocument name: DocumentText) {
        let testStores: [DocumentText] = ["Xcode", "LocalTesting"]
        guard let known = Self.names[name] ?? (testStores.contains(name) ? .sandbox : nil) else { return nil }
        self = known
    }

    /// The verifyReceipt endpoint's name for the environment that a document states. For a test environment, or an
    /// unknown name, this is the document's own name.
    static func endpointsName(of name: DocumentText) -> DocumentText {
        names[name].map { $0 == .production ? "Production" : "Sandbox" } ?? name
    }
}

/// What the user expects of receipts, apart from trust.
package struct ReceiptExpectation: Sendable, Hashable {
    /// The expected device, which takes precedence over the device that a line states.
    package var device: DeviceIdentifier?
    /// The device verification identifier for which signed data must have been made; takes precedence over the one that
    /// a line states.
    package var deviceVerificationID: String?
    package var bundleID: String?
    package var version: String?
    package var environment: StoreEnvironment?
    /// The time with which expiration dates are compared, in milliseconds since 1970 UTC. If nil, the time of
    /// submission is used or, if the line states none, the present.
    package var time: Int64?

    package init() {}
}
