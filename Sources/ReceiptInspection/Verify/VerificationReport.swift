internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification
package import SignedDataFormat

/// The result for one document, in the steps of Apple's guide to validating receipts: signature and chain, app and
/// device, purchases.
package struct VerificationReport {
    /// The document; nil if a line has none that can be decoded.
    let document: (kind: ReceiptKind, bytes: Int, digest: SHA256Digest)?
    let expectation: ReceiptExpectation
    /// The time with which expiration dates are compared.
    let time: Int64
    /// The reason why there are no results; nil if the document is readable.
    var unreadable: Unreadable?
    /// The document's own fields. Their ranges and those of the purchases refer to the document's buffer.
    private(set) var app: AppReceipt?
    /// The bundle identifier and the version, as stated and as expected.
    private(set) var bundle: AppCheck.Comparison = .init(stated: nil, expected: nil)
    private(set) var version: AppCheck.Comparison = .init(stated: nil, expected: nil)
    private(set) var environment: DocumentText?
    var purchases: [InAppPurchase] = []
    /// The payload of a signed string, with texts in the document's buffer; nil for receipts.
    var signed: SignedPayload?
    /// Whether the document is inside a notification.
    var isHeld = false
    /// The parts of a notification, each with its own report.
    var held: [(part: SignedPart, report: VerificationReport)] = []
    /// The signed property list of a transaction receipt; nil for app receipts.
    var purchaseInfo: ByteRange?
    /// The reason why the purchases can't be read although the other fields can.
    var purchaseFault: Unreadable?
    var verification: Verification?
    /// The environment that a transaction receipt states outside its signature.
    var statedEnvironment: DocumentText?
    /// Whether the signed part of a transaction receipt contradicts ``statedEnvironment``.
    var isEnvironmentContradicted = false
    var deviceCheck: DeviceCheck?
    /// Whether the user or the line asked for the device check.
    var isDeviceAsked = false
    /// Whether the named device is the sixteen zero bytes that mean a server.
    var isServerClaimed = false

    enum EnvironmentCheck: String, Sendable {
        case match, mismatch
        /// The document states no environment, or an unknown one.
        case unknown
        case notAsked = "not_asked"

        /// Whether the document may belong to the environment that the user asks for.
        var isPassed: Bool { self == .match || self == .notAsked }
    }

    /// A report without results.
    init(
        on document: DecodedDocument, of kind: ReceiptKind, expecting expectation: ReceiptExpectation, at time: Int64
    ) {
        self.document = (kind, document.receipt.count, document.digest)
        (self.expectation, self.time) = (expectation, time)
    }

    /// The report on a text that is not a document.
    package init(unreadable: Unreadable) {
        (document, expectation, time) = (nil, ReceiptExpectation(), 0)
        self.unreadable = unreadable
    }

    /// The report on a document of a verified batch.
    ///
    /// - Parameters:
    ///   - held: the documents inside the document, each with its place.
    ///   - fault: why a document inside this one can't be read; nil if all can.
    ///   - device: the check of the device that presents the document; nil if no device was given.
    package init(
        on receipt: VerifiedReceipt, holding held: [(part: SignedPart, receipt: VerifiedReceipt)] = [],
        fault: Unreadable? = nil, isHeld: Bool = false, of batch: VerifiedBatch, device: DeviceCheck? = nil,
        expecting expectation: ReceiptExpectation, at time: Int64
    ) {
        (document, self.isHeld) = ((receipt.kind, receipt.bytes, receipt.digest), isHeld)
        (self.expectation, self.time) = (expectation, time)
        purchases = Array(batch.purchases[receipt.purchases])
        (signed, verification) = (receipt.payload.map { batch.signedPayloads[$0] }, receipt.verification)
        (deviceCheck, isDeviceAsked, purchaseFault) = (device, device != nil, fault)
        isServerClaimed = signed == nil && expectation.device == .server
        take(receipt.app, batch.bytes.span)
        self.held = held.map { part, receipt in
            (part, VerificationReport(on: receipt, isHeld: true, of: batch, expecting: expectation, at: time))
        }
    }

    /// Takes the document's own fields.
    mutating func take(_ app: AppReceipt, _ bytes: Span<UInt8>) {
        self.app = app
        let expected = (bundle: expectation.bundleID, version: expectation.version)
        bundle = .init(stated: bytes.text(app.bundleIdentifier), expected: expected.bundle.map { DocumentText($0) })
        version = .init(stated: bytes.text(app.appVersion), expected: expected.version.map { DocumentText($0) })
        environment = bytes.text(app.environment)
    }

    // MARK: The three steps

    /// The time at which certificates have to be valid: a receipt's creation date, or the purchase date of a
    /// transaction receipt, which has no other.
    var certificatesCheckedAt: Int64? {
        document?.kind == .transactionReceipt ? purchases.first?.purchaseDate : app?.receiptCreationDate
    }

    /// The verdict; nil for a document that loading would reject. For such a document, ``verification`` still shows the
    /// signature.
    var verdict: Verdict? { rejection == nil ? verification?.verdict : nil }

    /// The reason why loading would reject the document; nil if it would not.
    var rejection: Unreadable? { unreadable ?? purchaseFault }

    var isSignatureAccepted: Bool { verification?.verdict == .trusted }

    /// Whether the app is the expected one; nil for an unreadable document. For a part of a notification, the bundle is
    /// compared if the part states one, which renewal infos don't; the version is not compared, since only the
    /// notification has to state one.
    var appCheck: AppCheck? {
        guard let app else { return nil }
        guard isHeld else {
            return AppCheck(bundle: bundle, version: version, expirationDate: app.expirationDate, at: time)
        }
        guard bundle.expected != nil, bundle.stated != nil else { return .notConfigured }
        return bundle.differs ? .unexpectedBundle : .expected
    }

    /// The result for the environment. A document that states none, or an unknown one, passes for neither environment.
    var environmentCheck: EnvironmentCheck {
        guard let expected = expectation.environment else { return .notAsked }
        let stated = environment.flatMap { StoreEnvironment(ofDocument: $0) }
        return stated.map { $0 == expected ? .match : .mismatch } ?? .unknown
    }

    var isAppAccepted: Bool {
        guard let appCheck else { return false }
        let isAppExpected = appCheck == .expected || appCheck == .notConfigured
        return isAppExpected && isDeviceAccepted && environmentCheck.isPassed
    }

    var isDeviceAccepted: Bool {
        let isServers = isServerClaimed && deviceCheck == .serverIssued
        return !isDeviceAsked || deviceCheck == .match || isServers
    }

    var arePurchasesAccepted: Bool { app != nil && purchaseFault == nil && held.allSatisfy(\.report.isAccepted) }

    package var isAccepted: Bool { verdict == .trusted && isAppAccepted && arePurchasesAccepted }

    /// Why the document's purchase does not entitle to its product; nil if it does. Also nil for other documents: an
    /// app receipt lists all purchases, and a notification may report the end itself.
    package var end: String? {
        guard !isHeld, let kind = document?.kind, kind == .signedTransaction || kind == .transactionReceipt else {
            return nil
        }
        return purchases.first?.end(signed, at: time)
    }

    /// The members and values of signed data that are not in the table of fields, for the document and for each part of
    /// a notification.
    var unknownMembers: [UnknownMembers] {
        var found: [UnknownMembers] = []
        if let signed { found.append(signed.unknownMembers) }
        for part in held { found += part.report.unknownMembers }
        return found.filter { !$0.isEmpty }
    }

    // MARK: Reasons

    // The reasons of each step for refusing a document, in plain words; empty if the step accepts it.

    /// The reasons of all steps for refusing the document.
    package var reasons: [String] {
        if let unreadable { return [unreadable.shown] }
        return signatureReasons + appReasons + contentReasons
    }

    var signatureReasons: [String] {
        guard let verification, verification.verdict != .trusted else { return [] }
        let verdict = verification.verdict.rawValue
        return [verification.detail.map { "\(verdict): \($0)" } ?? verdict]
    }

    var appReasons: [String] {
        guard let app else { return [] }
        func difference(_ name: String, _ comparison: AppCheck.Comparison) -> String? {
            guard comparison.differs, let expected = comparison.expected else { return nil }
            return "\(name): the receipt says \(comparison.stated ?? "nothing"), not \(expected)"
        }
        let expired = app.expirationDate.flatMap { $0 <= time ? $0 : nil }
        return [
            difference("unexpected_bundle", bundle),
            difference("unexpected_version", version),
            expired.map { "expired: the volume purchase ended at \($0.date), checked at \(time.date)" },
            environmentReason.map { "unexpected_environment: \($0)" },
            isDeviceAccepted ? nil : deviceCheck.map { "\($0.rawValue): \(explanation(of: $0))" },
        ].compactMap { $0 }
    }

    private var environmentReason: String? {
        switch environmentCheck {
        case .match, .notAsked: nil
        case .mismatch:
            environmentContradiction
                ?? "the receipt says \(environment ?? "nothing"), not \(expectation.environment?.rawValue ?? "")"
        case .unknown:
            environment.map { "the receipt says \($0), which is no environment that is known" }
                ?? "the receipt says nothing of its environment"
        }
    }

    /// States that a transaction receipt names, outside its signature, another environment than the one assumed; nil if
    /// it does not.
    var environmentContradiction: String? {
        guard isEnvironmentContradicted else { return nil }
        let stated = statedEnvironment.map { "says \($0)" } ?? "names no environment"
        return "the receipt \(stated), outside its signature, and is taken for one of \(environment ?? "")"
    }

    /// The reasons for refusing the purchases, or the parts of a notification.
    var contentReasons: [String] {
        let refused = held.filter { !$0.report.isAccepted }.map { part, report in
            let reason = report.unreadable?.shown ?? report.signatureReasons.first
            return "\(part.rawValue): \(reason ?? "it is of another app or environment than was asked")"
        }
        return (purchaseFault.map { [$0.shown] } ?? []) + refused
    }

    private func explanation(of check: DeviceCheck) -> String {
        switch check {
        case .match: "the hash is that of this device"
        case .mismatch where signed != nil: "the hash is not that of this device verification identifier and nonce"
        case .noDeviceID where signed != nil:
            "no device verification identifier was named; signed data states no other device"
        case .invalidDeviceID where signed != nil: "what was named as device verification identifier is no UUID"
        case .noHash where signed != nil: "it lacks deviceVerification or its nonce: only devices get them, not servers"
        case .noDeviceID where isDeviceAsked:
            "no device was named; a device verification identifier is for signed data"
        case .mismatch: "the hash is not that of this device, opaque value and bundle identifier"
        case .serverIssued: "the hash is that of sixteen zero bytes: the store gave this receipt to a server"
        case .noDeviceID: "no device was named"
        case .invalidDeviceID: "what was named as device is no device identifier"
        case .noHash where document?.kind == .transactionReceipt: "a transaction receipt holds no hash of a device"
        case .noHash: "the receipt lacks its hash, or what it is computed over"
        }
    }
}
