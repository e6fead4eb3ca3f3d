internal import ReceiptFormat
internal import ReceiptTrust

/// Turns a receipt's bytes into what the loader stores: payload, verdict,
/// device check.
struct ReceiptJudge {
    private let verifier: Verifier
    private let devices: DeviceChecker

    init(anchors: TrustAnchors) throws(OpenSSLError) {
        verifier = try Verifier(anchors: anchors)
        devices = try DeviceChecker()
    }

    /// Adds a line to `graded` as a submission, with its receipt if that is new,
    /// or as a rejection.
    ///
    /// A known receipt is not verified again, and its purchases are not read: its
    /// own attributes are all that the device check needs.
    func grade(
        _ line: DecodedLine, isNew: Bool, stored: Int64?, _ octets: inout OctetBuffer,
        into graded: inout GradedBatch
    ) throws(OpenSSLError) {
        let firstPurchase = graded.purchases.count
        let parsed: (container: Container, app: AppReceipt)
        do throws(Unreadable) {
            parsed = try parse(line, isNew: isNew, &octets, purchases: &graded.purchases)
        } catch {
            graded.purchases.removeSubrange(firstPurchase...)
            graded.rejections.append(Rejection(line: line.line, cause: error))
            return
        }
        if isNew {
            let verification = try verifier.verify(
                parsed.container, in: octets.span, createdAt: parsed.app.receiptCreationDate)
            graded.receipts.append(
                GradedReceipt(
                    digest: line.digest, bytes: line.receipt.count, app: parsed.app,
                    purchases: firstPurchase..<graded.purchases.count, verification: verification))
        }
        graded.submissions.append(
            GradedSubmission(
                line: line.line, receipt: line.digest, storedReceipt: stored, device: line.device,
                account: line.account, submittedAt: line.submittedAt,
                deviceCheck: try devices.check(parsed.app, in: octets.span, against: line.claim)))
    }

    private func parse(
        _ line: DecodedLine, isNew: Bool, _ octets: inout OctetBuffer, purchases: inout [InAppPurchase]
    ) throws(Unreadable) -> (container: Container, app: AppReceipt) {
        let base = line.receipt.offset
        var container: Container
        do throws(MalformedReceipt) {
            var reader = ByteReader(octets.span, in: line.receipt)
            if reader.next == UInt8(ascii: "{") {
                throw MalformedReceipt(.unsupportedContentType, at: base)
            }
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
