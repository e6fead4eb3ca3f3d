internal import ReceiptFormat
internal import ReceiptTrust
internal import SignedDataFormat

/// Verifies signed documents, and copies what is stored of them.
struct SignedDocumentVerifier {
    private let verifier: SignedDataVerifier
    private let devices: DeviceChecker
    private let pseudonyms: Pseudonyms?
    private let keepsReceipts: Bool

    init(anchors: TrustAnchors, pseudonyms: Pseudonyms?, keepsReceipts: Bool) throws(OpenSSLError) {
        verifier = try SignedDataVerifier(anchors: anchors)
        devices = try DeviceChecker()
        self.pseudonyms = pseudonyms
        self.keepsReceipts = keepsReceipts
    }

    /// Verifies a document's signature, chain and dates.
    func verification(of document: SignedDocument) throws(OpenSSLError) -> Verification {
        try verifier.verify(
            document.signature, in: document.bytes.span, of: document.signedDigest,
            by: document.header.signer(by: verifier), signedAt: document.payload.signedDate)
    }

    /// Adds a document to `verified`, if it is new, and its place in the one that holds it.
    ///
    /// - Returns: the device check; nil for a document that another holds, which makes
    ///   no submission.
    func verify(
        _ line: DecodedDocument, _ document: SignedDocument, isNew: Bool, in decoded: ByteBuffer,
        keeping kept: inout ByteBuffer, into verified: inout VerifiedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        if isNew { try add(line, document, in: decoded, keeping: &kept, to: &verified) }
        if let holder = line.holder {
            verified.parts.append(
                VerifiedPart(holder: holder.digest, part: holder.part, document: line.digest))
            return nil
        }
        return try devices.check(
            verification: document.payload.deviceVerification, nonce: document.payload.deviceVerificationNonce,
            in: document.bytes.span,
            against: line.context.deviceVerification.map { Array(decoded.bytes[$0.indices]) })
    }

    private func add(
        _ line: DecodedDocument, _ document: SignedDocument, in decoded: ByteBuffer, keeping kept: inout ByteBuffer,
        to verified: inout VerifiedBatch
    ) throws(OpenSSLError) {
        let verification = try verification(of: document)
        var payload = document.payload
        // Names are in the buffer already, where the other texts are copied to.
        let names = try pseudonyms.map { (pseudonyms) throws(OpenSSLError) in
            try takeNames(of: &payload, document, pseudonyms, keeping: &kept)
        }
        payload.mapTexts { kept.append(document.bytes.span, in: $0.indices) }
        if let names { (payload.appAccountToken, payload.appTransactionID) = names }
        let first = verified.purchases.count
        if let purchase = payload.purchase(in: kept.span) { verified.purchases.append(purchase) }
        verified.signedContents.append(SignedContent(payload))
        let isKept = keepsReceipts && !(pseudonyms != nil && line.statesPerson)
        verified.receipts.append(
            VerifiedReceipt(
                digest: line.digest, kind: payload.kind, bytes: line.receipt.count, app: payload.app,
                purchases: first..<verified.purchases.count, content: verified.signedContents.count - 1,
                verification: verification, whole: isKept ? kept.append(decoded, at: line.receipt) : nil,
                reviewable: nil))
    }

    /// Takes what identifies a person out of a payload, and gives names in its place.
    private func takeNames(
        of payload: inout SignedPayload, _ document: SignedDocument, _ pseudonyms: Pseudonyms,
        keeping kept: inout ByteBuffer
    ) throws(OpenSSLError) -> (accountToken: ByteRange?, transaction: ByteRange?) {
        func text(_ range: ByteRange) -> [UInt8] { Array(document.bytes[range.indices]) }
        var names: (accountToken: ByteRange?, transaction: ByteRange?)
        if let token = payload.appAccountToken {
            names.accountToken = kept.append(try pseudonyms.name(ofAccountToken: text(token)))
        }
        if let transaction = payload.appTransactionID {
            names.transaction = kept.append(try pseudonyms.name(ofAppTransaction: text(transaction)))
        }
        (payload.appAccountToken, payload.appTransactionID) = (nil, nil)
        return names
    }
}
