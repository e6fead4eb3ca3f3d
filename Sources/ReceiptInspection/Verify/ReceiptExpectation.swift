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

    // MARK: Comparisons

    func bundle(of app: AppReceipt, _ bytes: Span<UInt8>) -> AppCheck.Comparison {
        AppCheck.Comparison(stated: bytes.text(app.bundleIdentifier), expected: bundleID.map { DocumentText($0) })
    }

    func version(of app: AppReceipt, _ bytes: Span<UInt8>) -> AppCheck.Comparison {
        AppCheck.Comparison(stated: bytes.text(app.appVersion), expected: version.map { DocumentText($0) })
    }

    func check(_ app: AppReceipt, _ bytes: Span<UInt8>, at time: Int64) -> AppCheck {
        AppCheck(
            bundle: bundle(of: app, bytes), version: version(of: app, bytes), expirationDate: app.expirationDate,
            at: time)
    }

    /// Checks a part of a notification. The bundle is compared if the part states one, which renewal infos don't; a
    /// version is not compared, since only the notification has to state one.
    func heldCheck(_ app: AppReceipt, _ bytes: Span<UInt8>) -> AppCheck {
        let bundle = bundle(of: app, bytes)
        guard bundle.expected != nil, bundle.stated != nil else { return .notConfigured }
        return bundle.differs ? .unexpectedBundle : .expected
    }

    /// Checks the environment. A document that states none, or an unknown one, passes for neither environment.
    func environmentCheck(_ app: AppReceipt, _ bytes: Span<UInt8>) -> VerificationReport.EnvironmentCheck {
        guard let environment else { return .notAsked }
        let stated = bytes.text(app.environment).flatMap { StoreEnvironment(ofDocument: $0) }
        return stated.map { $0 == environment ? .match : .mismatch } ?? .unknown
    }
}
