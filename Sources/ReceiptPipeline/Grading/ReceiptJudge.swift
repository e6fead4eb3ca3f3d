internal import ReceiptFormat
internal import ReceiptTrust

/// Turns a receipt's bytes into what the loader stores: payload, verdict,
/// device check.
struct ReceiptJudge {
    private let verifier: Verifier
    private let transactions: TransactionJudge
    private let devices: DeviceChecker
    private let pseudonyms: Pseudonyms?

    /// - Parameters:
    ///   - issuers: certificates that receipts may need and don't carry.
    ///   - pseudonyms: what stands in the place of identifiers; nil keeps them.
    init(anchors: TrustAnchors, issuers: IssuerCertificates, pseudonyms: Pseudonyms? = nil) throws(OpenSSLError) {
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
        var octets = OctetBuffer(capacity: 2 * receipt.count)
        let line = DecodedLine(
            line: 0, receipt: octets.append(receipt, in: receipt.indices), digest: digest, device: nil, claim: .none,
            account: nil, submittedAt: nil)
        var batch = GradedBatch(sequence: 0)
        try grade(line, isNew: true, stored: nil, &octets, into: &batch)
        batch.octets = octets.octets
        batch.issuers = takeNewIssuers()
        return batch
    }

    /// Adds a line to `graded` as a submission, with its receipt if that is new,
    /// or as a rejection.
    func grade(
        _ line: DecodedLine, isNew: Bool, stored: Int64?, _ octets: inout OctetBuffer,
        into graded: inout GradedBatch
    ) throws(OpenSSLError) {
        let deviceCheck: DeviceCheck?
        if octets.holdsTransactionReceipt(line.receipt) {
            deviceCheck = try gradeTransactionReceipt(line, isNew: isNew, &octets, into: &graded)
        } else {
            deviceCheck = try gradeAppReceipt(line, isNew: isNew, stored: stored, &octets, into: &graded)
        }
        guard let deviceCheck else { return }
        // The device check is done: from here on a name will do.
        let (device, account) =
            if let pseudonyms { try names(of: line, by: pseudonyms, in: &octets) } else { (line.device, line.account) }
        graded.submissions.append(
            GradedSubmission(
                line: line.line, receipt: line.digest, storedReceipt: stored, device: device,
                account: account, submittedAt: line.submittedAt, deviceCheck: deviceCheck))
    }

    private func names(
        of line: DecodedLine, by pseudonyms: Pseudonyms, in octets: inout OctetBuffer
    ) throws(OpenSSLError) -> (device: ByteRange?, account: ByteRange?) {
        var (device, account) = (line.device, line.account)
        if let range = device {
            let name = try pseudonyms.name(ofDevice: line.claim, writtenAs: Array(octets.octets[range.indices]))
            device = octets.append(name, in: name.indices)
        }
        if let range = account {
            let name = try pseudonyms.name(ofAccount: Array(octets.octets[range.indices]))
            account = octets.append(name, in: name.indices)
        }
        return (device, account)
    }

    /// A known receipt is not verified again. Of a stored one the purchases are
    /// not even read: its own attributes are all that the device check needs. One
    /// that an earlier line took on may be malformed, and then is so here too.
    ///
    /// - Returns: nil where the line became a rejection.
    private func gradeAppReceipt(
        _ line: DecodedLine, isNew: Bool, stored: Int64?, _ octets: inout OctetBuffer, into graded: inout GradedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        let firstPurchase = graded.purchases.count
        let container: Container
        let app: AppReceipt
        do throws(Unreadable) {
            container = try octets.container(at: line.receipt)
            app = try Self.payload(
                of: container, line.receipt, isWellFormed: stored != nil, octets.span, &graded.purchases)
        } catch {
            graded.purchases.removeSubrange(firstPurchase...)
            graded.rejections.append(Rejection(line: line.line, cause: error))
            return nil
        }
        if isNew {
            let verification = try verifier.verify(container, in: octets.span, createdAt: app.receiptCreationDate)
            graded.receipts.append(
                GradedReceipt(
                    digest: line.digest, kind: .appReceipt, bytes: line.receipt.count, app: app,
                    purchases: firstPurchase..<graded.purchases.count, verification: verification,
                    whole: line.receipt, reviewable: nil))
        } else {
            graded.purchases.removeSubrange(firstPurchase...)
        }
        return try devices.check(app, in: octets.span, against: line.claim)
    }

    /// - Returns: always `no_hash`, which a transaction receipt lacks; nil where
    ///   the line became a rejection.
    private func gradeTransactionReceipt(
        _ line: DecodedLine, isNew: Bool, _ octets: inout OctetBuffer, into graded: inout GradedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        let parsed: TransactionJudge.Parsed
        do throws(Unreadable) {
            parsed = try TransactionJudge.parse(line.receipt, &octets)
        } catch {
            graded.rejections.append(Rejection(line: line.line, cause: error))
            return nil
        }
        if isNew {
            let verification = try transactions.verify(parsed, in: octets.span)
            let firstPurchase = graded.purchases.count
            graded.purchases.append(parsed.purchase)
            graded.receipts.append(
                GradedReceipt(
                    digest: line.digest, kind: .transactionReceipt, bytes: line.receipt.count, app: parsed.app,
                    purchases: firstPurchase..<graded.purchases.count, verification: verification,
                    whole: line.receipt, reviewable: verification.isReviewable ? line.receipt : nil))
        }
        return .noHash
    }

    /// - Parameter isWellFormed: the purchases were read before, and need not be.
    private static func payload(
        of container: Container, _ receipt: ByteRange, isWellFormed: Bool, _ octets: Span<UInt8>,
        _ purchases: inout [InAppPurchase]
    ) throws(Unreadable) -> AppReceipt {
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets, in: container.content.range)
            if isWellFormed { return try AppReceipt(parsingOwnAttributes: &reader) }
            return try AppReceipt(parsing: &reader, purchases: &purchases)
        } catch {
            throw Unreadable(payload: error, in: container.content.range, of: receipt)
        }
    }
}
