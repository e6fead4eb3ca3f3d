internal import MillSystem
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Reports on single documents. Two threads must not share a reporter, so every worker has its own.
struct VerificationReporter {
    private let expectation: ReceiptExpectation
    private let now: Int64
    private let verifier: Verifier
    private let transactions: TransactionReceiptVerifier
    private let devices: DeviceChecker
    private let signed: SignedDataVerifier
    /// Decodes the parts of notifications.
    private let decoder: LineDecoder

    /// Transaction receipts don't contain all certificates that they need. None are learned from other receipts, so
    /// that no answer depends on earlier documents.
    init(_ run: VerifyRun) throws(MillError) {
        (expectation, now) = (run.expectation, run.now)
        (verifier, transactions, devices, signed, decoder) = try MillError.wrapping { () throws(OpenSSLError) in
            (
                try Verifier(anchors: run.anchors),
                try TransactionReceiptVerifier(anchors: run.anchors, issuers: run.intermediates), try DeviceChecker(),
                try SignedDataVerifier(anchors: run.anchors), try LineDecoder(keys: LineKeys(), limits: Limits())
            )
        }
    }

    /// Reports on the documents of a line. Ranges in the reports refer to the buffer, which grows if chunked content
    /// has to be joined.
    func reports(
        on line: PresentedReceipt, in buffer: inout ByteBuffer
    ) throws(MillError) -> [VerificationReport] {
        try MillError.wrapping { () throws(OpenSSLError) in
            try line.documents.map { (document) throws(OpenSSLError) in try report(on: document.content, in: &buffer) }
        }
    }

    /// - Parameter isHeld: whether the document is a part of a notification.
    private func report(
        on content: Result<DecodedDocument, Unreadable>, isHeld: Bool = false, in buffer: inout ByteBuffer
    ) throws(OpenSSLError) -> VerificationReport {
        let document: DecodedDocument
        switch content {
        case .failure(let fault): return VerificationReport(unreadable: fault)
        case .success(let decoded): document = decoded
        }
        if let signed = document.signed { return try report(on: signed, document, isHeld: isHeld, in: &buffer) }
        let kind = buffer.kind(of: document.receipt)
        var found = report(on: document, of: kind)
        if kind == .transactionReceipt {
            try readTransaction(document, &buffer, into: &found)
        } else {
            try readContainer(document, &buffer, into: &found)
        }
        guard let app = found.app else { return found }
        let claim = expectation.device.map { DeviceChecker.Claim.device($0) } ?? document.context.claim
        found.isDeviceAsked = claim != .none || expectation.deviceVerificationID != nil
        found.isServerClaimed = claim == .device(.server)
        found.deviceCheck = try devices.check(app, in: buffer.span, against: claim)
        return found
    }

    /// A report without results.
    private func report(on document: DecodedDocument, of kind: ReceiptKind) -> VerificationReport {
        let time = expectation.time ?? document.context.submittedAt ?? now
        return VerificationReport(on: document, of: kind, expecting: expectation, at: time)
    }

    // MARK: Signed data

    private func report(
        on signedDocument: SignedDocument, _ document: DecodedDocument, isHeld: Bool, in buffer: inout ByteBuffer
    ) throws(OpenSSLError) -> VerificationReport {
        var payload = signedDocument.payload
        let bytes = signedDocument.bytes
        let parts = payload.kind == .notification && !isHeld ? payload.parts : []
        var found = report(on: document, of: payload.kind)
        found.verification = try signed.verify(
            signedDocument.signature, in: bytes.span, of: signedDocument.signedDigest,
            by: signedDocument.header.signer(by: signed), signedAt: payload[.signedDate])
        if !isHeld {
            let stated = document.context.deviceVerification.map { Array(buffer.bytes[$0.indices]) }
            let claim = expectation.deviceVerificationID.map { Array($0.utf8) } ?? stated
            found.isDeviceAsked = claim != nil || expectation.device != nil
            found.deviceCheck = try devices.check(
                verification: payload[.deviceVerification], nonce: payload[.deviceVerificationNonce],
                in: bytes.span, against: claim)
        }
        payload.mapTexts { buffer.append(bytes.span, in: $1.indices) }
        found.signed = payload
        found.take(payload.app, buffer.span)
        found.purchases = payload.purchase(in: buffer.span).map { [$0] } ?? []
        found.isHeld = isHeld
        for (part, text) in parts {
            let characters = buffer.append(bytes.span, in: text.indices)
            let held = try decoder.signedDocument(characters, 0, buffer)
            found.held.append((part, try report(on: held, isHeld: true, in: &buffer)))
        }
        return found
    }

    // MARK: Receipts

    private func readTransaction(
        _ document: DecodedDocument, _ buffer: inout ByteBuffer, into found: inout VerificationReport
    ) throws(OpenSSLError) {
        let parsed: TransactionReceiptVerifier.Parsed
        do throws(Unreadable) {
            parsed = try TransactionReceiptVerifier.parse(document.receipt, &buffer)
        } catch {
            return found.unreadable = error
        }
        found.take(parsed.app, buffer.span)
        (found.purchases, found.purchaseInfo) = ([parsed.purchase], parsed.purchaseInfo)
        found.statedEnvironment = buffer.span.text(parsed.statedEnvironment)
        found.isEnvironmentContradicted = parsed.isEnvironmentContradicted
        found.verification = try transactions.verify(parsed, in: buffer.span)
    }

    private func readContainer(
        _ document: DecodedDocument, _ buffer: inout ByteBuffer, into found: inout VerificationReport
    ) throws(OpenSSLError) {
        let container: Container
        do throws(Unreadable) {
            container = try buffer.container(at: document.receipt)
            let app = try Self.payload(container, buffer.span, of: document.receipt, &found)
            found.take(app, buffer.span)
        } catch {
            return found.unreadable = error
        }
        found.verification = try verifier.verify(
            container, in: buffer.span, createdAt: found.app?.receiptCreationDate)
    }

    /// Reads a payload. If only a purchase is malformed, all attributes except the purchases are read, so that the
    /// first two steps still have results.
    private static func payload(
        _ container: Container, _ bytes: Span<UInt8>, of receipt: ByteRange, _ found: inout VerificationReport
    ) throws(Unreadable) -> AppReceipt {
        let fault: Unreadable
        do throws(MalformedReceipt) {
            var reader = ByteReader(bytes, in: container.content.range)
            return try AppReceipt(parsing: &reader, purchases: &found.purchases)
        } catch {
            found.purchases = []
            fault = Unreadable(payload: error, in: container.content.range, of: receipt)
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
}

extension ByteBuffer {
    /// The kind of a receipt, by its first byte: an app receipt's container never begins with a brace.
    func kind(of receipt: ByteRange) -> ReceiptKind {
        holdsTransactionReceipt(receipt) ? .transactionReceipt : .appReceipt
    }
}
