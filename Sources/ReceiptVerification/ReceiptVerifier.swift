package import ReceiptFormat
package import ReceiptTrust

/// Converts a receipt's bytes into payload, verdict and device check, which the loader stores.
package struct ReceiptVerifier {
    private let verifier: Verifier
    private let transactions: TransactionReceiptVerifier
    private let signed: SignedDocumentVerifier
    private let strings: SignedStringReader
    private let devices: DeviceChecker
    private let pseudonyms: Pseudonyms?
    /// Whether new receipts are kept whole.
    private let keepsReceipts: Bool

    /// - Parameters:
    ///   - issuers: certificates that receipts may need and don't contain.
    ///   - pseudonyms: the pseudonyms that replace identifiers; nil leaves identifiers unchanged.
    ///   - keepsReceipts: whether verified receipts contain their bytes.
    package init(
        anchors: TrustAnchors, issuers: CertificatePool, pseudonyms: Pseudonyms? = nil, keepsReceipts: Bool = false
    ) throws(OpenSSLError) {
        self.keepsReceipts = keepsReceipts
        self.pseudonyms = pseudonyms
        verifier = try Verifier(anchors: anchors)
        transactions = try TransactionReceiptVerifier(anchors: anchors, issuers: issuers)
        signed = try SignedDocumentVerifier(anchors: anchors, pseudonyms: pseudonyms, keepsReceipts: keepsReceipts)
        strings = try SignedStringReader()
        devices = try DeviceChecker()
    }

    /// The issuers that app receipts have contained since the last call.
    func takeNewIssuers() -> CertificatePool { verifier.takeNewIssuers() }

    /// Verifies a single stored receipt or signed string, as a batch with one submission without device, account and
    /// time, or with one rejection. Documents inside it are not read, because they are stored separately.
    package func verified(
        _ receipt: [UInt8], _ digest: SHA256Digest, _ kind: ReceiptKind
    ) throws(OpenSSLError) -> VerifiedBatch {
        var decoded = ByteBuffer(capacity: 2 * receipt.count)
        var kept = ByteBuffer(capacity: receipt.count)
        var document = DecodedDocument(line: 0, receipt: decoded.append(receipt), digest: digest)
        var batch = VerifiedBatch(sequence: 0)
        if kind.isSignedData {
            // Earlier versions stored strings with the surrounding white space.
            let text = WhiteSpace.trimmed(document.receipt.indices, of: decoded.span)
            switch try strings.read(decoded.span, in: text) {
            case .success(let read): document.signed = read.document
            case .failure(let cause):
                batch.rejections.append(Rejection(line: 0, cause: cause))
                return batch
            }
        }
        try verify(document, isNew: true, stored: nil, &decoded, keeping: &kept, into: &batch)
        batch.bytes = kept.bytes
        batch.issuers = takeNewIssuers()
        return batch
    }

    /// Verifies the signatures of signed documents in advance, because verifying those of one signer together costs
    /// less.
    private func checkSignatures(of documents: [DecodedDocument], where isWanted: (Int) -> Bool) throws(OpenSSLError) {
        try signed.checkSignatures(of: documents, where: isWanted)
    }

    /// Verifies the documents of a batch.
    ///
    /// - Parameters:
    ///   - standings: for each document, whether it is new, and its id if it is in the database; if nil, all are new.
    ///   - capacity: the number of bytes that are reserved for the stored parts of the batch.
    func verify(
        _ documents: [DecodedDocument], standings: [(isNew: Bool, stored: Int64?)]?, _ decoded: inout ByteBuffer,
        keeping capacity: Int, into verified: inout VerifiedBatch
    ) throws(OpenSSLError) {
        try checkSignatures(of: documents) { standings?[$0].isNew ?? true }
        verified.submissions.reserveCapacity(documents.count)
        verified.receipts.reserveCapacity(documents.count)
        var kept = ByteBuffer(capacity: capacity)
        for (index, document) in documents.enumerated() {
            let standing = standings?[index] ?? (isNew: true, stored: nil)
            try verify(
                document, isNew: standing.isNew, stored: standing.stored, &decoded, keeping: &kept, into: &verified)
        }
        verified.bytes = kept.bytes
        verified.issuers = takeNewIssuers()
    }

    /// Adds a document to `verified` as a submission, with its content if the document is new, or
    /// as a rejection.
    ///
    /// - Parameters:
    ///   - decoded: the buffer of the document's ranges.
    ///   - kept: the buffer of the ranges in `verified`, for the payloads of new receipts and the texts of all lines.
    ///     It is separate, because batches wait for the loader, and certificates should not take memory meanwhile.
    package func verify(
        _ line: DecodedDocument, isNew: Bool, stored: Int64?, _ decoded: inout ByteBuffer,
        keeping kept: inout ByteBuffer, into verified: inout VerifiedBatch
    ) throws(OpenSSLError) {
        let deviceCheck: DeviceCheck?
        if let document = line.signed {
            deviceCheck = try signed.verify(
                line, document, isNew: isNew, in: decoded, keeping: &kept, into: &verified)
        } else if decoded.holdsTransactionReceipt(line.receipt) {
            deviceCheck = try verifyTransactionReceipt(line, isNew: isNew, decoded, keeping: &kept, into: &verified)
        } else {
            deviceCheck = try verifyAppReceipt(
                line, isNew: isNew, stored: stored, &decoded, keeping: &kept, into: &verified)
        }
        guard let deviceCheck else { return }
        // The device check is done, so that only the pseudonym is needed from here on.
        let (device, account) = try names(of: line, decoded, keeping: &kept)
        verified.submissions.append(
            VerifiedSubmission(
                line: line.line, document: line.number, receipt: line.digest, storedReceipt: stored, device: device,
                account: account, submittedAt: line.context.submittedAt, deviceCheck: deviceCheck))
    }

    private func names(
        of line: DecodedDocument, _ decoded: ByteBuffer, keeping kept: inout ByteBuffer
    ) throws(OpenSSLError) -> (device: ByteRange?, account: ByteRange?) {
        guard let pseudonyms else {
            return (kept.append(decoded, at: line.context.device), kept.append(decoded, at: line.context.account))
        }
        var (device, account): (ByteRange?, ByteRange?)
        if let range = line.context.device {
            let name = try pseudonyms.name(ofDevice: line.context.claim, writtenAs: Array(decoded.bytes[range.indices]))
            device = kept.append(name)
        }
        if let range = line.context.account {
            let name = try pseudonyms.name(ofAccount: Array(decoded.bytes[range.indices]))
            account = kept.append(name)
        }
        return (device, account)
    }

    /// A known receipt is not verified again. The purchases of a stored receipt are not even read, because the device
    /// check needs only the receipt's own attributes. A receipt that an earlier line has claimed may be malformed; then
    /// it is rejected again.
    ///
    /// - Returns: nil if the line became a rejection.
    private func verifyAppReceipt(
        _ line: DecodedDocument, isNew: Bool, stored: Int64?, _ decoded: inout ByteBuffer,
        keeping kept: inout ByteBuffer, into verified: inout VerifiedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        let firstPurchase = verified.purchases.count
        let keptBefore = kept.bytes.count
        let container: Container
        let app: AppReceipt
        do throws(Unreadable) {
            container = try decoded.container(at: line.receipt)
            let content = container.content.range
            do throws(MalformedReceipt) {
                if isNew {
                    let payload = kept.append(decoded.span, in: content.indices)
                    app = try Self.parse(content, kept: payload, in: kept.span, &verified.purchases)
                } else {
                    var reader = ByteReader(decoded.span, in: content)
                    app =
                        if stored == nil { try AppReceipt(parsing: &reader, purchases: &verified.purchases) } else {
                            try AppReceipt(parsingOwnAttributes: &reader)
                        }
                }
            } catch {
                throw Unreadable(payload: error, in: content, of: line.receipt)
            }
        } catch {
            verified.purchases.removeSubrange(firstPurchase...)
            kept.truncate(to: keptBefore)
            verified.rejections.append(Rejection(line: line.line, document: line.number, cause: error))
            return nil
        }
        guard isNew else {
            verified.purchases.removeSubrange(firstPurchase...)
            return try devices.check(app, in: decoded.span, against: line.context.claim)
        }
        let verification = try verifier.verify(container, in: decoded.span, createdAt: app.receiptCreationDate)
        verified.receipts.append(
            VerifiedReceipt(
                digest: line.digest, kind: .appReceipt, bytes: line.receipt.count, app: app,
                purchases: firstPurchase..<verified.purchases.count, verification: verification,
                whole: keepsReceipts ? kept.append(decoded, at: line.receipt) : nil, reviewable: nil))
        return try devices.check(app, in: kept.span, against: line.context.claim)
    }

    /// - Returns: always `no_hash`, because a transaction receipt has no device hash; nil if the
    ///   line became a rejection.
    private func verifyTransactionReceipt(
        _ line: DecodedDocument, isNew: Bool, _ decoded: ByteBuffer, keeping kept: inout ByteBuffer,
        into verified: inout VerifiedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        let parsed: TransactionReceiptVerifier.Parsed
        let keptBefore = kept.bytes.count
        let receipt = kept.append(decoded.span, in: line.receipt.indices)
        do throws(Unreadable) {
            parsed = try TransactionReceiptVerifier.parse(receipt, &kept)
        } catch {
            kept.truncate(to: keptBefore)
            verified.rejections.append(Rejection(line: line.line, document: line.number, cause: error))
            return nil
        }
        if isNew {
            let verification = try transactions.verify(parsed, in: kept.span)
            let firstPurchase = verified.purchases.count
            verified.purchases.append(parsed.purchase)
            verified.receipts.append(
                VerifiedReceipt(
                    digest: line.digest, kind: .transactionReceipt, bytes: receipt.count, app: parsed.app,
                    purchases: firstPurchase..<verified.purchases.count, verification: verification,
                    whole: receipt, reviewable: verification.isReviewable ? receipt : nil))
        } else {
            kept.truncate(to: keptBefore)
        }
        return .noHash
    }

    /// Parses a payload in the buffer in which it is kept.
    ///
    /// - Throws: the payload's fault, with its offset in the buffer from which the payload was copied.
    private static func parse(
        _ content: ByteRange, kept: ByteRange, in bytes: Span<UInt8>, _ purchases: inout [InAppPurchase]
    ) throws(MalformedReceipt) -> AppReceipt {
        do throws(MalformedReceipt) {
            var reader = ByteReader(bytes, in: kept)
            return try AppReceipt(parsing: &reader, purchases: &purchases)
        } catch {
            throw error.moved(by: content.offset - kept.offset)
        }
    }
}
