package import MillJSON
package import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
package import ReceiptVerification
internal import SignedDataFormat

/// Writes verified lines as docs/decode-format.md says.
///
/// Every worker has its own, which remembers texts that it would compute again;
/// what it remembers changes no byte.
package struct DecodedLineWriter {
    /// Bundle identifiers of the apps that are expected; none expects any.
    private let bundles: [[UInt8]]
    /// Names the key by which devices and accounts are named.
    private let pseudonymKey: [UInt8]?
    private let keepsReceipts: Bool
    private var versionKeys = VersionKeys()
    /// Certificates of issuers as JSON text, some 2 kB each: the store used five.
    private var issuers = RecentValues<SHA256Digest, [UInt8]>()
    private var typeLists = TypeLists()

    package init(apps: [AppSetting], pseudonymKey: [UInt8]?, keepsReceipts: Bool) {
        bundles = apps.map { Array($0.bundleID.utf8) }
        self.pseudonymKey = pseudonymKey
        self.keepsReceipts = keepsReceipts
    }

    /// Where a batch begins: the archive as a JSON object, and the batch's first
    /// line in it.
    package struct BatchStart: Sendable {
        package let archive: [UInt8]
        package let firstLine: Int64

        package init(archive: [UInt8], firstLine: Int64) { (self.archive, self.firstLine) = (archive, firstLine) }

        package static func archive(_ id: ArchiveID) -> [UInt8] {
            var json = JSONWriter()
            json.open()
            json.member(DecodedKeys.Archive.name, id.name)
            json.digest(DecodedKeys.Archive.sha256, id.sha256)
            json.member(DecodedKeys.Archive.bytes, id.bytes)
            json.close()
            return json.bytes
        }
    }

    /// How far a batch is written.
    private struct Position {
        var submission = 0, receipt = 0, part = 0, rejection = 0
    }

    /// Writes a batch whose every document was verified: a line for each of its
    /// lines, in order.
    ///
    /// - Returns: where the last of them begins.
    package mutating func write(_ batch: VerifiedBatch, at start: BatchStart?, to json: inout JSONWriter) -> Int {
        var lastLine = json.count
        let rejections = batch.rejections.sorted { ($0.line, $0.document) < ($1.line, $1.document) }
        var next = Position()
        batch.bytes.withUnsafeBufferPointer { bytes in
            for line in 0..<batch.lineCount {
                lastLine = json.count
                json.open()
                json.member(DecodedKeys.Line.schema, DecodedKeys.schema)
                if let start {
                    json.key(DecodedKeys.Line.archive.name)
                    json.written(start.archive)
                    json.member(DecodedKeys.Line.line, start.firstLine + Int64(line))
                }
                let isRejected: Bool
                if next.submission < batch.submissions.count, batch.submissions[next.submission].line == line,
                    batch.submissions[next.submission].document == 1
                {
                    write(batch, &next, bytes, to: &json)
                    isRejected = false
                } else {
                    Self.write(rejections[next.rejection], to: &json)
                    next.rejection += 1
                    isRejected = true
                }
                if Self.holdsMore(line, batch, rejections, next) {
                    writeOthers(of: line, batch, rejections, &next, isRejected: isRejected, bytes, to: &json)
                }
                json.close()
                json.endLine()
            }
        }
        return lastLine
    }

    private static func holdsMore(
        _ line: Int, _ batch: VerifiedBatch, _ rejections: [Rejection], _ next: Position
    ) -> Bool {
        (next.submission < batch.submissions.count && batch.submissions[next.submission].line == line)
            || (next.rejection < rejections.count && rejections[next.rejection].line == line)
    }

    /// Writes the documents of a line behind the first, and what can't be read of one that
    /// is a submission.
    ///
    /// - Parameter isRejected: whether a rejection of the line was written, which holds the line.
    private mutating func writeOthers(
        of line: Int, _ batch: VerifiedBatch, _ rejections: [Rejection], _ next: inout Position, isRejected: Bool,
        _ bytes: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter
    ) {
        var isRejected = isRejected
        json.openArray(DecodedKeys.Line.documents.name)
        while Self.holdsMore(line, batch, rejections, next) {
            let submitted =
                batch.submissions.indices.contains(next.submission)
                ? batch.submissions[next.submission] : nil
            let rejected = rejections.indices.contains(next.rejection) ? rejections[next.rejection] : nil
            json.open()
            if let submitted, submitted.line == line,
                rejected.map({ $0.line > line || submitted.document <= $0.document }) ?? true
            {
                json.member(DecodedKeys.Document.document, Int64(submitted.document))
                write(batch, &next, bytes, to: &json)
            } else if var rejected {
                json.member(DecodedKeys.Document.document, Int64(rejected.document))
                if isRejected { rejected.content = nil }
                Self.write(rejected, to: &json)
                next.rejection += 1
                isRejected = true
            }
            json.close()
        }
        json.closeArray()
    }

    /// Writes the next submission, its receipt, and what that holds and states.
    private mutating func write(
        _ batch: VerifiedBatch, _ next: inout Position, _ bytes: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter
    ) {
        let receipt = batch.receipts[next.receipt]
        write(batch.submissions[next.submission], receipt, bytes, to: &json)
        write(receipt, of: batch, bytes, to: &json)
        next.submission += 1
        next.receipt += 1
        if next.part < batch.parts.count, batch.parts[next.part].holder == receipt.digest {
            writeParts(of: receipt.digest, batch, &next, bytes, to: &json)
        }
    }

    /// Writes the documents that one holds, which follow it, each in the order of its parts.
    private mutating func writeParts(
        of holder: SHA256Digest, _ batch: VerifiedBatch, _ next: inout Position, _ bytes: UnsafeBufferPointer<UInt8>,
        to json: inout JSONWriter
    ) {
        json.openArray(DecodedKeys.Document.parts.name)
        var last = -1
        while next.part < batch.parts.count, batch.parts[next.part].holder == holder {
            let part = batch.parts[next.part].part
            // The same document may stand in the next line, too.
            guard part.rank > last else { break }
            last = part.rank
            json.open()
            json.member(DecodedKeys.Part.part, part.rawValue)
            write(batch.receipts[next.receipt], of: batch, bytes, to: &json)
            json.close()
            next.part += 1
            next.receipt += 1
        }
        json.closeArray()
    }

    /// Writes a receipt, its purchases, and what it states beside.
    private mutating func write(
        _ receipt: VerifiedReceipt, of batch: VerifiedBatch, _ bytes: UnsafeBufferPointer<UInt8>,
        to json: inout JSONWriter
    ) {
        write(receipt, bytes, to: &json)
        write(batch.purchases[receipt.purchases], bytes, to: &json)
        if let payload = receipt.payload {
            SignedObject.of(receipt.kind)?.write(batch.signedPayloads[payload], bytes, to: &json)
        }
    }

    private func write(
        _ submission: VerifiedSubmission, _ receipt: VerifiedReceipt, _ bytes: UnsafeBufferPointer<UInt8>,
        to json: inout JSONWriter
    ) {
        typealias Key = DecodedKeys.Submission
        json.open(DecodedKeys.Line.submission.name)
        json.text(Key.deviceID, bytes.part(submission.device))
        json.text(Key.accountID, bytes.part(submission.account))
        pseudonymKey?.withUnsafeBufferPointer { json.hex(Key.pseudonymKey, $0) }
        json.member(Key.submittedAt, submission.submittedAt)
        json.member(Key.deviceCheck, submission.deviceCheck.rawValue)
        json.member(Key.appCheck, appCheck(receipt.app, bytes, submittedAt: submission.submittedAt).rawValue)
        json.close()
    }

    /// Decided without a clock: where the line states no time, nothing has expired.
    private func appCheck(
        _ app: AppReceipt, _ bytes: UnsafeBufferPointer<UInt8>, submittedAt: Int64?
    ) -> AppCheck {
        let bundle = bytes.part(app.bundleIdentifier)
        let isOurs = bundles.contains { expected in bundle.map { $0.elementsEqual(expected) } ?? false }
        var isExpired = false
        if let end = app.expirationDate, let submittedAt { isExpired = end <= submittedAt }
        return AppCheck(
            bundleDiffers: !bundles.isEmpty && !isOurs, versionDiffers: false, isExpired: isExpired,
            isConfigured: isOurs)
    }

    private mutating func write(
        _ receipt: VerifiedReceipt, _ bytes: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter
    ) {
        typealias Key = DecodedKeys.Receipt
        let app = receipt.app
        json.open(DecodedKeys.Line.receipt.name)
        json.digest(Key.sha256, receipt.digest)
        json.member(Key.kind, receipt.kind.rawValue)
        json.member(Key.verdict, receipt.verification.verdict.rawValue)
        json.member(Key.verdictDetail, receipt.verification.detail)
        json.text(Key.environment, bytes.part(app.environment))
        json.text(Key.bundleID, bytes.part(app.bundleIdentifier))
        if let version = bytes.part(app.appVersion) {
            json.text(Key.appVersion, version)
            versionKeys.write(Key.appVersionKey, version, to: &json)
        }
        if let version = bytes.part(app.originalApplicationVersion) {
            json.text(Key.originalApplicationVersion, version)
            versionKeys.write(Key.originalApplicationVersionKey, version, to: &json)
        }
        json.member(Key.originalPurchaseDate, app.originalPurchaseDate)
        json.member(Key.receiptCreationDate, app.receiptCreationDate)
        json.member(Key.expirationDate, app.expirationDate)
        json.member(Key.appItemID, app.appItemID)
        json.member(Key.versionExternalIdentifier, app.versionExternalIdentifier)
        json.member(Key.downloadID, app.downloadID)
        json.member(Key.digestAlgorithm, receipt.verification.digestAlgorithm)
        json.member(Key.signer, receipt.verification.signer)
        json.hex(Key.opaqueValue, bytes.part(app.opaqueValue))
        json.hex(Key.deviceHash, bytes.part(app.sha1Hash))
        json.member(Key.purchaseCount, Int64(receipt.purchases.count))
        json.member(Key.bytes, Int64(receipt.bytes))
        typeLists.write(Key.undocumentedAttributes, app.undocumentedTypes, to: &json)
        typeLists.write(Key.undocumentedPurchaseAttributes, app.undocumentedPurchaseTypes, to: &json)
        if !receipt.verification.issuers.isEmpty {
            json.openArray(Key.issuers.name)
            for issuer in receipt.verification.issuers {
                json.written(issuers.value(for: issuer.fingerprint) { Self.text(of: issuer) })
            }
            json.closeArray()
        }
        if let whole = keepsReceipts ? receipt.whole : receipt.reviewable {
            json.base64(Key.content, bytes.part(whole))
        }
        json.close()
    }

    private func write(
        _ purchases: ArraySlice<InAppPurchase>, _ bytes: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter
    ) {
        typealias Key = DecodedKeys.Purchase
        json.openArray(DecodedKeys.Line.purchases.name)
        for purchase in purchases {
            json.open()
            json.text(Key.transactionID, bytes.part(purchase.transactionIdentifier))
            json.text(Key.originalTransactionID, bytes.part(purchase.originalTransactionIdentifier))
            json.text(Key.productID, bytes.part(purchase.productIdentifier))
            json.member(Key.quantity, purchase.quantity)
            json.member(Key.productType, purchase.productType)
            json.member(Key.purchaseDate, purchase.purchaseDate)
            json.member(Key.originalPurchaseDate, purchase.originalPurchaseDate)
            json.member(Key.expiresDate, purchase.expiresDate)
            json.member(Key.cancellationDate, purchase.cancellationDate)
            json.member(Key.webOrderLineItemID, purchase.webOrderLineItemID)
            json.member(Key.isTrialPeriod, purchase.isTrialPeriod)
            json.member(Key.isInIntroOfferPeriod, purchase.isInIntroOfferPeriod)
            json.text(Key.promotionalOfferID, bytes.part(purchase.promotionalOfferIdentifier))
            json.close()
        }
        json.closeArray()
    }

    private static func text(of issuer: IssuerCertificate) -> [UInt8] {
        var json = JSONWriter()
        json.string { json in issuer.der.withUnsafeBufferPointer { json.appendBase64($0) } }
        return json.bytes
    }

    private static func write(_ rejection: Rejection, to json: inout JSONWriter) {
        typealias Key = DecodedKeys.Rejection
        json.open(DecodedKeys.Line.rejection.name)
        json.member(Key.reason, rejection.cause.reason.rawValue)
        json.member(Key.detail, rejection.cause.detail)
        rejection.content?.withUnsafeBufferPointer { json.base64(Key.content, $0) }
        json.close()
    }

    /// Marks a line that was written as the last of its archive.
    ///
    /// - Parameter line: a whole line with its newline.
    package static func markLast(_ line: inout [UInt8]) {
        line.removeLast(2)
        line.append(contentsOf: #","last":true}"#.utf8)
        line.append(UInt8(ascii: "\n"))
    }
}
