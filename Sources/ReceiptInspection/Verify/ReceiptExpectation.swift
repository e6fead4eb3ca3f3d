internal import ReceiptFormat
package import ReceiptTrust

/// The two environments that the store's endpoint had.
package enum StoreEnvironment: String, Sendable, CaseIterable {
    case production, sandbox

    /// The environments of the store's documents, by the names that documents state.
    private static let names: [DocumentText: StoreEnvironment] = [
        "Production": .production, "ProductionVPP": .production,
        "ProductionSandbox": .sandbox, "ProductionVPPSandbox": .sandbox, "Sandbox": .sandbox,
    ]

    /// The one that a document is of by the environment that it states; nil for a name
    /// that is not known. Test stores, Xcode's and that of StoreKit's local testing, count as the sandbox.
    init?(ofDocument name: DocumentText) {
        let testStores: [DocumentText] = ["Xcode", "LocalTesting"]
        guard let known = Self.names[name] ?? (testStores.contains(name) ? .sandbox : nil) else { return nil }
        self = known
    }

    /// The endpoint's name for what a document states: that of a test store, and one
    /// that is not known, are the document's own.
    static func endpointsName(of name: DocumentText) -> DocumentText {
        names[name].map { $0 == .production ? "Production" : "Sandbox" } ?? name
    }
}

/// What the user asks of receipts, beside that they be trusted.
package struct ReceiptExpectation: Sendable, Hashable {
    /// Takes precedence over the device that a line names.
    package var device: DeviceIdentifier?
    /// What signed data must have been made for; takes precedence over what a line names.
    package var deviceVerificationID: String?
    package var bundleID: String?
    package var version: String?
    package var environment: StoreEnvironment?
    /// The time that expiration dates are compared with, milliseconds since 1970 UTC; nil
    /// means the time of submission, else now.
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

    /// The check of a document that another holds: a bundle counts where the document states one, which
    /// renewal infos don't; a version is the other's to state.
    func heldCheck(_ app: AppReceipt, _ bytes: Span<UInt8>) -> AppCheck {
        let bundle = bundle(of: app, bytes)
        guard bundle.expected != nil, bundle.stated != nil else { return .notConfigured }
        return bundle.differs ? .unexpectedBundle : .expected
    }

    /// The check of the environment: a document that states none, or one that is not known, passes for neither.
    func environmentCheck(_ app: AppReceipt, _ bytes: Span<UInt8>) -> VerificationReport.EnvironmentCheck {
        guard let environment else { return .notAsked }
        let stated = bytes.text(app.environment).flatMap { StoreEnvironment(ofDocument: $0) }
        return stated.map { $0 == environment ? .match : .mismatch } ?? .unknown
    }
}
