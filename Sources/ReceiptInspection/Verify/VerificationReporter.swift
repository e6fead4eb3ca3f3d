internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Reports on receipts one by one. Not for use by two threads at once: every
/// worker has its own.
struct VerificationReporter {
    private let expectation: ReceiptExpectation
    private let verifier: Verifier
    private let transactions: TransactionReceiptVerifier
    private let devices: DeviceChecker
    private let signed: SignedDataVerifier
    /// Reads what notifications hold.
    private let decoder: LineDecoder

    /// - Parameter issuers: certificates that transaction receipts need and don't
    ///   carry. None is taken from other receipts, so that no answer depends on
    ///   what was asked before.
    init(
        anchors: TrustAnchors, issuers: IssuerCertificates, expectation: ReceiptExpectation
    ) throws(MillError) {
        self.expectation = expectation
        (verifier, transactions, devices) = try MillError.wrapping { () throws(OpenSSLError) in
            (
                try Verifier(anchors: anchors), try TransactionReceiptVerifier(anchors: anchors, issuers: issuers),
                try DeviceChecker()
            )
        }
        (signed, decoder) = try MillError.wrapping { () throws(OpenSSLError) in
            (try SignedDataVerifier(anchors: anchors), try LineDecoder(keys: LineKeys(), limits: Limits()))
        }
    }

    /// - Parameters:
    ///   - line: the receipt, and what was stated beside it.
    ///   - buffer: what its ranges point into; grows where content in chunks has
    ///     to be joined.
    ///   - now: milliseconds since 1970 UTC.
    func report(
        on line: DecodedDocument, in buffer: inout ByteBuffer, now: Int64
    ) throws(MillError) -> VerificationReport {
        if let document = line.signed {
            return try MillError.wrapping { () throws(OpenSSLError) in
                try report(on: document, line, in: &buffer, now: now)
            }
        }
        var found = VerificationReport(receipt: line.receipt, digest: line.digest, kind: buffer.kind(of: line.receipt))
        found.time = expectation.time ?? line.context.submittedAt ?? now
        let app: AppReceipt
        let verify: (Span<UInt8>) throws(OpenSSLError) -> Verification
        do throws(Unreadable) {
            (app, verify) = try open(&found, &buffer)
        } catch {
            found.unreadable = error
            return found
        }
        found.app = app
        let claim = expectation.device.map { DeviceChecker.Claim.device($0) } ?? line.context.claim
        found.isDeviceAsked = claim != .none || expectation.deviceVerificationID != nil
        found.isServerClaimed = claim == .device(.server)
        (found.verification, found.deviceCheck) = try MillError.wrapping { () throws(OpenSSLError) in
            (try verify(buffer.span), try devices.check(app, in: buffer.span, against: claim))
        }
        found.appCheck = appCheck(app, buffer.span, at: found.time)
        found.environmentCheck = environmentCheck(app, buffer.span)
        return found
    }

    // MARK: Signed data

    /// - Parameter isHeld: whether another document holds it, not the line.
    private func report(
        on document: SignedDocument, _ line: DecodedDocument, in buffer: inout ByteBuffer, now: Int64,
        isHeld: Bool = false
    ) throws(OpenSSLError) -> VerificationReport {
        var payload = document.payload
        let bytes = document.bytes
        let parts = payload.kind == .notification ? payload.parts : []
        var found = VerificationReport(receipt: line.receipt, digest: line.digest, kind: payload.kind)
        found.time = expectation.time ?? line.context.submittedAt ?? now
        found.verification = try signed.verify(
            document.signature, in: bytes.span, of: document.signedDigest,
            by: document.header.signer(by: signed), signedAt: payload.signedDate)
        if !isHeld {
            let stated = line.context.deviceVerification.map { Array(buffer.bytes[$0.indices]) }
            let claim = expectation.deviceVerificationID.map { Array($0.utf8) } ?? stated
            found.isDeviceAsked = claim != nil || expectation.device != nil
            found.deviceCheck = try devices.check(
                verification: payload.deviceVerification, nonce: payload.deviceVerificationNonce,
                in: bytes.span, against: claim)
        }
        payload.mapTexts { buffer.append(bytes.span, in: $0.indices) }
        found.signed = payload
        let app = payload.app
        found.app = app
        found.purchases = payload.purchase(in: buffer.span).map { [$0] } ?? []
        found.appCheck = isHeld ? heldAppCheck(app, buffer.span) : appCheck(app, buffer.span, at: found.time)
        found.environmentCheck = environmentCheck(app, buffer.span)
        guard !isHeld else { return found }
        for (part, text) in parts {
            let characters = buffer.append(bytes.span, in: text.indices)
            switch try decoder.signedDocument(characters, 0, buffer) {
            case .failure(let fault): found.held.append(HeldDocument(part: part, outcome: .failure(fault)))
            case .success(let held):
                guard let inner = held.signed else { continue }
                let report = try report(on: inner, held, in: &buffer, now: now, isHeld: true)
                found.held.append(HeldDocument(part: part, outcome: .success(report)))
            }
        }
        return found
    }

    /// Of a document that another holds: a bundle counts where it states one, which
    /// renewal infos don't; a version is the other's to state.
    private func heldAppCheck(_ app: AppReceipt, _ bytes: Span<UInt8>) -> AppCheck {
        let stated = app.bundleIdentifier.map { bytes.text($0) }
        guard let expected = expectation.bundleID.map({ DocumentText($0) }), let stated else { return .notConfigured }
        return AppCheck.Comparison(stated: stated, expected: expected).differs ? .unexpectedBundle : .expected
    }

    // MARK: Receipts

    /// Reads a receipt; what it returns verifies the receipt.
    private func open(
        _ found: inout VerificationReport, _ buffer: inout ByteBuffer
    ) throws(Unreadable) -> (app: AppReceipt, verify: (Span<UInt8>) throws(OpenSSLError) -> Verification) {
        switch found.kind {
        case .appReceipt:
            let container = try buffer.container(at: found.receipt)
            let app = try Self.payload(container, buffer.span, &found)
            return (
                app,
                { (bytes) throws(OpenSSLError) in
                    try verifier.verify(container, in: bytes, createdAt: app.receiptCreationDate)
                }
            )
        case .transactionReceipt:
            let parsed = try TransactionReceiptVerifier.parse(found.receipt, &buffer)
            found.purchases = [parsed.purchase]
            found.purchaseInfo = parsed.purchaseInfo
            found.statedEnvironment = parsed.statedEnvironment
            found.isEnvironmentContradicted = parsed.isEnvironmentContradicted
            return (parsed.app, { (bytes) throws(OpenSSLError) in try transactions.verify(parsed, in: bytes) })
        case .signedTransaction, .signedRenewal, .appTransaction, .notification:
            // A buffer's own bytes are never of these kinds.
            throw Unreadable(.unsupportedKind, "signed data")
        }
    }

    /// Reads a payload; where only a purchase of it is malformed, all but the
    /// purchases, so that the first two steps can still be taken.
    private static func payload(
        _ container: Container, _ bytes: Span<UInt8>, _ found: inout VerificationReport
    ) throws(Unreadable) -> AppReceipt {
        let fault: Unreadable
        do throws(MalformedReceipt) {
            var reader = ByteReader(bytes, in: container.content.range)
            return try AppReceipt(parsing: &reader, purchases: &found.purchases)
        } catch {
            found.purchases = []
            fault = Unreadable(payload: error, in: container.content.range, of: found.receipt)
            let isInPurchase = error.code == .tooManyPurchases || (error.attribute.map(isOfPurchases) ?? false)
            guard isInPurchase else { throw fault }
        }
        var reader = ByteReader(bytes, in: container.content.range)
        guard let app = try? AppReceipt(parsingOwnAttributes: &reader) else { throw fault }
        found.purchaseFault = fault
        return app
    }

    private static func isOfPurchases(_ type: Int64) -> Bool {
        type == AppAttribute.inAppPurchaseReceipt || (1700..<1800).contains(type)
    }

    private func appCheck(_ app: AppReceipt, _ bytes: Span<UInt8>, at time: Int64) -> AppCheck {
        func comparison(_ stated: ByteRange?, _ expected: String?) -> AppCheck.Comparison {
            AppCheck.Comparison(
                stated: expected == nil ? nil : stated.map { bytes.text($0) },
                expected: expected.map { DocumentText($0) })
        }
        return AppCheck(
            bundle: comparison(app.bundleIdentifier, expectation.bundleID),
            version: comparison(app.appVersion, expectation.version), expirationDate: app.expirationDate, at: time)
    }

    /// A document that states no environment, or one that is not known, passes for neither.
    private func environmentCheck(_ app: AppReceipt, _ bytes: Span<UInt8>) -> VerificationReport.EnvironmentCheck {
        guard let asked = expectation.environment else { return .notAsked }
        guard let stated = app.environment.flatMap({ ReceiptExpectation.Environment(ofDocument: bytes.text($0)) })
        else { return .unknown }
        return stated == asked ? .match : .mismatch
    }
}

extension ByteBuffer {
    /// Decided by the first byte: no container begins with a brace.
    func kind(of receipt: ByteRange) -> ReceiptKind {
        holdsTransactionReceipt(receipt) ? .transactionReceipt : .appReceipt
    }
}
