internal import ReceiptFormat
internal import ReceiptTrust

/// Turns a receipt's bytes into what the loader stores: payload, verdict,
/// device check.
struct ReceiptJudge {
    private let verifier: Verifier
    private let transactions: TransactionJudge
    private let devices: DeviceChecker
    private let pseudonyms: Pseudonyms?
    /// Whether new receipts are kept whole.
    private let keepsReceipts: Bool

    /// - Parameters:
    ///   - issuers: certificates that receipts may need and don't carry.
    ///   - pseudonyms: what stands in the place of identifiers; nil keeps them.
    ///   - keepsReceipts: whether graded receipts hold their bytes.
    init(
        anchors: TrustAnchors, issuers: IssuerCertificates, pseudonyms: Pseudonyms? = nil, keepsReceipts: Bool = false
    ) throws(OpenSSLError) {
        self.keepsReceipts = keepsReceipts
        self.pseudonyms = pseudonyms
        verifier = try Verifier(anchors: anchors)
        transactions = try TransactionJudge(anchors: anchors, issuers: issuers)
        devices = try DeviceChecker()
    }

    /// Issuers that app receipts carried, met since they were taken last.
    func takeNewIssuers() -> IssuerCertificates { verifier.takeNewIssuers() }

    /// A receipt of its own, as a batch of one submission that says nothing of
    /// device, account and time; or of one rejection.
    func graded(_ receipt: [UInt8], _ digest: SHA256Digest) throws(OpenSSLError) -> GradedBatch {
        var decoded = OctetBuffer(capacity: 2 * receipt.count)
        var kept = OctetBuffer(capacity: receipt.count)
        let line = DecodedLine(
            line: 0, receipt: decoded.append(receipt, in: receipt.indices), digest: digest, device: nil, claim: .none,
            account: nil, submittedAt: nil)
        var batch = GradedBatch(sequence: 0)
        try grade(line, isNew: true, stored: nil, &decoded, keeping: &kept, into: &batch)
        batch.octets = kept.octets
        batch.issuers = takeNewIssuers()
        return batch
    }

    /// Adds a line to `graded` as a submission, with its receipt if that is new,
    /// or as a rejection.
    ///
    /// - Parameters:
    ///   - decoded: what the line's ranges point into.
    ///   - kept: what those of `graded` point into: the payloads of new receipts and
    ///     the texts of all lines. Batches wait for the loader, certificates need not.
    func grade(
        _ line: DecodedLine, isNew: Bool, stored: Int64?, _ decoded: inout OctetBuffer,
        keeping kept: inout OctetBuffer, into graded: inout GradedBatch
    ) throws(OpenSSLError) {
        let deviceCheck: DeviceCheck?
        if decoded.holdsTransactionReceipt(line.receipt) {
            deviceCheck = try gradeTransactionReceipt(line, isNew: isNew, decoded, keeping: &kept, into: &graded)
        } else {
            deviceCheck = try gradeAppReceipt(
                line, isNew: isNew, stored: stored, &decoded, keeping: &kept, into: &graded)
        }
        guard let deviceCheck else { return }
        // The device check is done: from here on a name will do.
        let (device, account) = try names(of: line, decoded, keeping: &kept)
        graded.submissions.append(
            GradedSubmission(
                line: line.line, receipt: line.digest, storedReceipt: stored, device: device,
                account: account, submittedAt: line.submittedAt, deviceCheck: deviceCheck))
    }

    private func names(
        of line: DecodedLine, _ decoded: OctetBuffer, keeping kept: inout OctetBuffer
    ) throws(OpenSSLError) -> (device: ByteRange?, account: ByteRange?) {
        guard let pseudonyms else {
            return (kept.append(decoded, at: line.device), kept.append(decoded, at: line.account))
        }
        var (device, account): (ByteRange?, ByteRange?)
        if let range = line.device {
            let name = try pseudonyms.name(ofDevice: line.claim, writtenAs: Array(decoded.octets[range.indices]))
            device = kept.append(name, in: name.indices)
        }
        if let range = line.account {
            let name = try pseudonyms.name(ofAccount: Array(decoded.octets[range.indices]))
            account = kept.append(name, in: name.indices)
        }
        return (device, account)
    }

    /// A known receipt is not verified again. Of a stored one the purchases are
    /// not even read: its own attributes are all that the device check needs. One
    /// that an earlier line took on may be malformed, and then is so here too.
    ///
    /// - Returns: nil where the line became a rejection.
    private func gradeAppReceipt(
        _ line: DecodedLine, isNew: Bool, stored: Int64?, _ decoded: inout OctetBuffer,
        keeping kept: inout OctetBuffer, into graded: inout GradedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        let firstPurchase = graded.purchases.count
        let keptBefore = kept.octets.count
        let container: Container
        let app: AppReceipt
        do throws(Unreadable) {
            container = try decoded.container(at: line.receipt)
            let content = container.content.range
            do throws(MalformedReceipt) {
                if isNew {
                    let payload = kept.append(decoded.span, in: content.indices)
                    app = try Self.parse(content, kept: payload, in: kept.span, &graded.purchases)
                } else {
                    var reader = ByteReader(decoded.span, in: content)
                    app =
                        if stored == nil { try AppReceipt(parsing: &reader, purchases: &graded.purchases) } else {
                            try AppReceipt(parsingOwnAttributes: &reader)
                        }
                }
            } catch {
                throw Unreadable(payload: error, in: content, of: line.receipt)
            }
        } catch {
            graded.purchases.removeSubrange(firstPurchase...)
            kept.truncate(to: keptBefore)
            graded.rejections.append(Rejection(line: line.line, cause: error))
            return nil
        }
        guard isNew else {
            graded.purchases.removeSubrange(firstPurchase...)
            return try devices.check(app, in: decoded.span, against: line.claim)
        }
        let verification = try verifier.verify(container, in: decoded.span, createdAt: app.receiptCreationDate)
        graded.receipts.append(
            GradedReceipt(
                digest: line.digest, kind: .appReceipt, bytes: line.receipt.count, app: app,
                purchases: firstPurchase..<graded.purchases.count, verification: verification,
                whole: keepsReceipts ? kept.append(decoded, at: line.receipt) : nil, reviewable: nil))
        return try devices.check(app, in: kept.span, against: line.claim)
    }

    /// - Returns: always `no_hash`, which a transaction receipt lacks; nil where
    ///   the line became a rejection.
    private func gradeTransactionReceipt(
        _ line: DecodedLine, isNew: Bool, _ decoded: OctetBuffer, keeping kept: inout OctetBuffer,
        into graded: inout GradedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        let parsed: TransactionJudge.Parsed
        let keptBefore = kept.octets.count
        let receipt = kept.append(decoded.span, in: line.receipt.indices)
        do throws(Unreadable) {
            parsed = try TransactionJudge.parse(receipt, &kept)
        } catch {
            kept.truncate(to: keptBefore)
            graded.rejections.append(Rejection(line: line.line, cause: error))
            return nil
        }
        if isNew {
            let verification = try transactions.verify(parsed, in: kept.span)
            let firstPurchase = graded.purchases.count
            graded.purchases.append(parsed.purchase)
            graded.receipts.append(
                GradedReceipt(
                    digest: line.digest, kind: .transactionReceipt, bytes: receipt.count, app: parsed.app,
                    purchases: firstPurchase..<graded.purchases.count, verification: verification,
                    whole: receipt, reviewable: verification.isReviewable ? receipt : nil))
        } else {
            kept.truncate(to: keptBefore)
        }
        return .noHash
    }

    /// Parses a payload where it is kept.
    ///
    /// - Throws: what is wrong with it, with the place where it stood before.
    private static func parse(
        _ content: ByteRange, kept: ByteRange, in octets: Span<UInt8>, _ purchases: inout [InAppPurchase]
    ) throws(MalformedReceipt) -> AppReceipt {
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets, in: kept)
            return try AppReceipt(parsing: &reader, purchases: &purchases)
        } catch {
            throw error.moved(by: content.offset - kept.offset)
        }
    }
}
