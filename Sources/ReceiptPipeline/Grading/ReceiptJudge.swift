internal import ReceiptFormat
internal import ReceiptTrust

/// Turns a receipt's bytes into what the loader stores: payload, verdict,
/// device check.
struct ReceiptJudge {
    private let verifier: Verifier
    private let transactions: TransactionJudge
    private let devices: DeviceChecker

    /// - Parameter issuers: certificates that receipts may need and don't carry.
    init(anchors: TrustAnchors, issuers: IssuerCertificates) throws(OpenSSLError) {
        verifier = try Verifier(anchors: anchors)
        transactions = try TransactionJudge(anchors: anchors, issuers: issuers)
        devices = try DeviceChecker()
    }

    /// Issuers that app receipts carried, met since they were taken last.
    func takeNewIssuers() -> IssuerCertificates { verifier.takeNewIssuers() }

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
            deviceCheck = try gradeAppReceipt(line, isNew: isNew, &octets, into: &graded)
        }
        guard let deviceCheck else { return }
        graded.submissions.append(
            GradedSubmission(
                line: line.line, receipt: line.digest, storedReceipt: stored, device: line.device,
                account: line.account, submittedAt: line.submittedAt, deviceCheck: deviceCheck))
    }

    /// A known receipt is not verified again, and its purchases are not read: its
    /// own attributes are all that the device check needs.
    ///
    /// - Returns: nil where the line became a rejection.
    private func gradeAppReceipt(
        _ line: DecodedLine, isNew: Bool, _ octets: inout OctetBuffer, into graded: inout GradedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        let firstPurchase = graded.purchases.count
        let parsed: (container: Container, app: AppReceipt)
        do throws(Unreadable) {
            parsed = try parse(line, isNew: isNew, &octets, purchases: &graded.purchases)
        } catch {
            graded.purchases.removeSubrange(firstPurchase...)
            graded.rejections.append(Rejection(line: line.line, cause: error))
            return nil
        }
        if isNew {
            let verification = try verifier.verify(
                parsed.container, in: octets.span, createdAt: parsed.app.receiptCreationDate)
            graded.receipts.append(
                GradedReceipt(
                    digest: line.digest, kind: .appReceipt, bytes: line.receipt.count, app: parsed.app,
                    purchases: firstPurchase..<graded.purchases.count, verification: verification, reviewable: nil))
        }
        return try devices.check(parsed.app, in: octets.span, against: line.claim)
    }

    /// - Returns: always `no_hash`, which a transaction receipt lacks; nil where
    ///   the line became a rejection.
    private func gradeTransactionReceipt(
        _ line: DecodedLine, isNew: Bool, _ octets: inout OctetBuffer, into graded: inout GradedBatch
    ) throws(OpenSSLError) -> DeviceCheck? {
        let parsed: TransactionJudge.Parsed
        do throws(Unreadable) {
            parsed = try transactions.parse(line.receipt, &octets)
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
                    reviewable: verification.isReviewable ? line.receipt : nil))
        }
        return .noHash
    }

    private func parse(
        _ line: DecodedLine, isNew: Bool, _ octets: inout OctetBuffer, purchases: inout [InAppPurchase]
    ) throws(Unreadable) -> (container: Container, app: AppReceipt) {
        let base = line.receipt.offset
        var container: Container
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets.span, in: line.receipt)
            container = try Container(parsing: &reader)
            if container.content.isFragmented {
                container.content = OctetString(
                    range: try octets.appendOctets(of: container.content), isFragmented: false)
            }
        } catch {
            throw Unreadable(
                error.isUnsupportedKind ? .unsupportedKind : .malformedContainer, error.description(relativeTo: base))
        }
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets.span, in: container.content.range)
            if isNew {
                return (container, try AppReceipt(parsing: &reader, purchases: &purchases))
            }
            return (container, try AppReceipt(parsingOwnAttributes: &reader))
        } catch {
            throw Unreadable(.malformedPayload, error.description(relativeTo: base))
        }
    }
}
