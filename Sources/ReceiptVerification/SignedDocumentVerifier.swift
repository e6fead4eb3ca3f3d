internal import Foundation
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
        verifier = try SignedDataVerifier(anchors: anchors, usesTables: Self.usesTables)
        devices = try DeviceChecker()
        self.pseudonyms = pseudonyms
        self.keepsReceipts = keepsReceipts
    }

    /// Tables of keys can be switched off, where they or the library that makes them turn out to be wrong.
    private static let usesTables = ProcessInfo.processInfo.environment["RECEIPTMILL_KEY_TABLES"] != "off"

    /// Verifies the signatures of documents, those under one header together.
    func checkSignatures(of documents: [DecodedDocument], where isWanted: (Int) -> Bool) throws(OpenSSLError) {
        var groups: [(header: KnownHeader, indices: [Int], signatures: [ES256Signature])] = []
        for index in documents.indices {
            guard let document = documents[index].signed, isWanted(index), let signature = document.es256 else {
                continue
            }
            if let group = groups.lastIndex(where: { $0.header === document.header }) {
                groups[group].indices.append(index)
                groups[group].signatures.append(signature)
            } else {
                groups.append((document.header, [index], [signature]))
            }
        }
        for group in groups {
            let holds = try verifier.verify(group.signatures, by: group.header.signer(by: verifier)) {
                documents[group.indices[$0]].digest
            }
            for (index, holds) in zip(group.indices, holds) { documents[index].signed?.signatureHolds = holds }
        }
    }

    /// Verifies a document's signature, chain and dates.
    private func verification(
        of document: SignedDocument, _ digest: SHA256Digest
    ) throws(OpenSSLError) -> Verification {
        let signer = try document.header.signer(by: verifier)
        var signature = SignedDataVerifier.Signature.malformed(byteCount: document.signature?.count)
        if let es256 = document.es256 {
            let holds =
                if let known = document.signatureHolds { known } else {
                    try verifier.verify([es256], by: signer) { _ in digest }[0]
                }
            signature = .wellFormed(holds: holds)
        }
        return verifier.verification(of: signature, by: signer, signedAt: document.payload.signedDate)
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
        let bytes = document.bytes
        return try devices.check(
            verification: document.payload.deviceVerification, nonce: document.payload.deviceVerificationNonce,
            in: bytes.span,
            against: line.context.deviceVerification.map { Array(decoded.bytes[$0.indices]) })
    }

    private func add(
        _ line: DecodedDocument, _ document: SignedDocument, in decoded: ByteBuffer, keeping kept: inout ByteBuffer,
        to verified: inout VerifiedBatch
    ) throws(OpenSSLError) {
        let verification = try verification(of: document, line.digest)
        var payload = document.payload
        // Names are in the buffer already, where the other texts are copied to.
        let names = try pseudonyms.map { (pseudonyms) throws(OpenSSLError) in
            try takeNames(of: &payload, document, pseudonyms, keeping: &kept)
        }
        let bytes = document.bytes
        payload.mapTexts { kept.append(bytes.span, in: $0.indices) }
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
