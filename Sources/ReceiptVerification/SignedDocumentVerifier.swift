internal import Foundation
internal import ReceiptFormat
internal import ReceiptTrust
internal import SignedDataFormat

/// Verifies signed documents, and copies the parts of them that are stored.
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

    /// Tables of multiples of public keys speed up verification. They can be switched off, in case they or the library
    /// that makes them turn out to be wrong.
    private static let usesTables = ProcessInfo.processInfo.environment["RECEIPTMILL_KEY_TABLES"] != "off"

    /// Verifies the signatures of documents, those with the same header together.
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
        return verifier.verification(of: signature, by: signer, signedAt: document.payload[.signedDate])
    }

    /// Adds a document to `verified` if it is new. If it is inside another document, also adds its place there.
    ///
    /// - Returns: the device check; nil for a document inside another one, which makes no submission.
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
            verification: document.payload[.deviceVerification], nonce: document.payload[.deviceVerificationNonce],
            in: bytes.span,
            against: line.context.deviceVerification.map { Array(decoded.bytes[$0.indices]) })
    }

    private func add(
        _ line: DecodedDocument, _ document: SignedDocument, in decoded: ByteBuffer, keeping kept: inout ByteBuffer,
        to verified: inout VerifiedBatch
    ) throws(OpenSSLError) {
        let verification = try verification(of: document, line.digest)
        var payload = document.payload
        let bytes = document.bytes
        // With a pseudonym key, a text that identifies a person is never copied; its pseudonym is stored instead.
        try payload.mapTexts { (slot, text) throws(OpenSSLError) in
            guard let pseudonyms, let slot, let person = SignedField.person(namedIn: slot) else {
                return kept.append(bytes.span, in: text.indices)
            }
            return kept.append(try pseudonyms.name(of: person, Array(bytes[text.indices])))
        }
        let first = verified.purchases.count
        if let purchase = payload.purchase(in: kept.span) { verified.purchases.append(purchase) }
        payload.removeUndatedRevocation()
        verified.signedPayloads.append(payload)
        let isKept = keepsReceipts && !(pseudonyms != nil && line.statesPerson)
        verified.receipts.append(
            VerifiedReceipt(
                digest: line.digest, kind: payload.kind, bytes: line.receipt.count, app: payload.app,
                purchases: first..<verified.purchases.count, payload: verified.signedPayloads.count - 1,
                unknown: payload.extras?.unknownMembers, verification: verification,
                whole: isKept ? kept.append(decoded, at: line.receipt) : nil,
                reviewable: nil))
    }
}

extension Pseudonyms {
    fileprivate func name(of person: SignedField.Person, _ identifier: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        switch person {
        case .accountToken: try name(ofAccountToken: identifier)
        case .appTransaction: try name(ofAppTransaction: identifier)
        }
    }
}
