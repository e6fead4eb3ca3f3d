package import MillJSON
package import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
package import ReceiptVerification

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

    /// Where a line stands: the archive as a JSON object, and the batch's first
    /// line in it.
    package struct Place: Sendable {
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

    /// Writes a batch whose every receipt was verified: a line for each of its
    /// lines, in order.
    ///
    /// - Returns: where the last of them begins.
    package mutating func write(_ batch: VerifiedBatch, at place: Place?, to json: inout JSONWriter) -> Int {
        var lastLine = json.count
        let rejections = batch.rejections.sorted { $0.line < $1.line }
        var (submitted, rejected) = (0, 0)
        batch.bytes.withUnsafeBufferPointer { bytes in
            for line in 0..<batch.lineCount {
                lastLine = json.count
                json.open()
                json.member(DecodedKeys.Line.schema, DecodedKeys.schema)
                if let place {
                    json.key(DecodedKeys.Line.archive.name)
                    json.written(place.archive)
                    json.member(DecodedKeys.Line.line, place.firstLine + Int64(line))
                }
                if submitted < batch.submissions.count, batch.submissions[submitted].line == line {
                    let receipt = batch.receipts[submitted]
                    write(batch.submissions[submitted], receipt, bytes, to: &json)
                    write(receipt, bytes, to: &json)
                    write(batch.purchases[receipt.purchases], bytes, to: &json)
                    submitted += 1
                } else {
                    Self.write(rejections[rejected], to: &json)
                    rejected += 1
                }
                json.close()
                json.endLine()
            }
        }
        return lastLine
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

/// Version keys as JSON text, remembered: versions repeat, and a key takes long
/// to make.
private struct VersionKeys {
    private var indices = InternTable()
    private var keys: [[UInt8]] = []

    /// Texts that are remembered, and bytes of one; real versions are short and
    /// some hundreds, made-up ones must not fill the memory.
    private static let capacity = 4096
    private static let longestText = 64

    mutating func write(_ name: some DecodedKey, _ version: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter) {
        guard version.count <= Self.longestText else {
            json.member(name.name, Self.key(version))
            return
        }
        if keys.count >= Self.capacity { self = VersionKeys() }
        let index = indices.number(of: version) {
            var text = JSONWriter()
            text.value(Self.key(version))
            keys.append(text.bytes)
            return Int64(keys.count - 1)
        }
        json.key(name.name)
        json.written(keys[Int(index)])
    }

    private static func key(_ version: UnsafeBufferPointer<UInt8>) -> String {
        VersionKey.key(String(decoding: version, as: UTF8.self))
    }
}
