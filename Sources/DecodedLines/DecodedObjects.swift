package import MillJSON
internal import MillSystem
package import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification

/// Reads the objects of decoded lines, and gathers a batch's bytes, purchases
/// and issuers.
package struct DecodedObjects {
    package struct Submission {
        package var device, account: ByteRange?
        package var submittedAt: Int64?
        package var deviceCheck = DeviceCheck.noHash
        package var naming = DecodedBatch.Naming.none

        package func verified(line: Int, _ receipt: SHA256Digest) -> VerifiedSubmission {
            VerifiedSubmission(
                line: line, receipt: receipt, storedReceipt: nil, device: device, account: account,
                submittedAt: submittedAt, deviceCheck: deviceCheck)
        }
    }

    package struct Receipt {
        package var digest: SHA256Digest
        package var kind: ReceiptKind
        package var verification: Verification
        package var app = AppReceipt()
        package var bytes: Int64
        var purchaseCount: Int64
        package var octets: ByteRange?
    }

    private let keepsReceipts: Bool
    private let sha256: MessageDigest
    private var submissionKeys = DecodedKeys.Submission.table
    private var receiptKeys = DecodedKeys.Receipt.table
    private var purchaseKeys = DecodedKeys.Purchase.table
    private var rejectionKeys = DecodedKeys.Rejection.table
    private var deviceChecks = KnownTexts<DeviceCheck>.table
    private var kinds = KnownTexts<ReceiptKind>.table
    private var verdicts = KnownTexts<Verdict>.table
    private var reasons = KnownTexts<RejectionReason>.table

    private var octets = ByteBuffer(capacity: 0)
    private var purchases: [InAppPurchase] = []
    private var issuers = IssuerCertificates()
    /// Texts of certificates that were read before: nearly every line has the same.
    private var knownIssuers: [[UInt8]] = []
    private var typeLists = KnownTypeLists()

    /// Certificates whose texts are remembered, some 2 kB each.
    private static let greatestKnownIssuers = 64

    init(keepsReceipts: Bool) throws(OpenSSLError) {
        self.keepsReceipts = keepsReceipts
        sha256 = try MessageDigest()
    }

    /// Begins a batch.
    package mutating func begin(capacity: Int) {
        octets = ByteBuffer(capacity: capacity / 2)
        purchases.removeAll(keepingCapacity: true)
    }

    /// Hands over what the runs of a batch point into.
    package mutating func end(_ batch: inout DecodedBatch) {
        for place in batch.runs.indices {
            batch.runs[place].verified.octets = octets.octets
            batch.runs[place].verified.purchases = purchases
        }
        batch.issuers = issuers
        issuers = IssuerCertificates()
    }

    // MARK: Objects

    package mutating func submission(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) -> Submission {
        var submission = Submission()
        var deviceCheck: DeviceCheck?
        var isFirst = true
        while let token = try cursor.nextKey(&isFirst) {
            switch submissionKeys.value(at: token.range, bytes) {
            case .deviceID?: submission.device = text(try cursor.readText(), bytes)
            case .accountID?: submission.account = text(try cursor.readText(), bytes)
            case .pseudonymKey?: submission.naming = .key(try digest(&cursor, bytes).bytes)
            case .submittedAt?: submission.submittedAt = try time(&cursor)
            case .deviceCheck?: deviceCheck = try Self.named(&deviceChecks, &cursor, bytes)
            case .appCheck?, nil: _ = try cursor.readValue(depth: 2)
            }
        }
        guard let deviceCheck else { throw cursor.failure("submission has to have a device_check") }
        submission.deviceCheck = deviceCheck
        return submission
    }

    package mutating func receipt(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(InvalidJSON) -> Receipt {
        var fields = ReceiptFields()
        var seen = KeysSeen()
        var isFirst = true
        while let token = try cursor.nextKey(&isFirst) {
            guard let key = receiptKeys.value(at: token.range, bytes) else {
                _ = try cursor.readValue(depth: 2)
                continue
            }
            try seen.insert(key, cursor)
            try read(key, &fields, &cursor, bytes)
        }
        guard let receipt = fields.receipt else {
            throw cursor.failure(
                "receipt has to have sha256, kind, verdict, digest_algorithm, purchase_count and bytes")
        }
        guard receipt.bytes >= 0 else { throw cursor.failure("bytes can't be negative") }
        return receipt
    }

    private mutating func read(
        _ key: DecodedKeys.Receipt, _ fields: inout ReceiptFields, _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) {
        switch key {
        case .sha256: fields.digest = try digest(&cursor, bytes)
        case .kind: fields.kind = try Self.named(&kinds, &cursor, bytes)
        case .verdict: fields.verdict = try Self.named(&verdicts, &cursor, bytes)
        case .verdictDetail: fields.detail = try cursor.readText().flatMap { string($0, bytes) }
        case .environment: fields.app.environment = text(try cursor.readText(), bytes)
        case .bundleID: fields.app.bundleIdentifier = text(try cursor.readText(), bytes)
        case .appVersion: fields.app.appVersion = text(try cursor.readText(), bytes)
        case .originalApplicationVersion:
            fields.app.originalApplicationVersion = text(try cursor.readText(), bytes)
        case .originalPurchaseDate: fields.app.originalPurchaseDate = try time(&cursor)
        case .receiptCreationDate: fields.app.receiptCreationDate = try time(&cursor)
        case .expirationDate: fields.app.expirationDate = try time(&cursor)
        case .appItemID: fields.app.appItemID = try cursor.readInteger()
        case .versionExternalIdentifier: fields.app.versionExternalIdentifier = try cursor.readInteger()
        case .downloadID: fields.app.downloadID = try cursor.readInteger()
        case .digestAlgorithm: fields.algorithm = try cursor.readText().flatMap { string($0, bytes) }
        case .signer: fields.signer = try cursor.readText().flatMap { string($0, bytes) }
        case .opaqueValue: fields.app.opaqueValue = try hex(&cursor, bytes)
        case .deviceHash: fields.app.sha1Hash = try hex(&cursor, bytes)
        case .purchaseCount: fields.purchaseCount = try cursor.readInteger()
        case .bytes: fields.bytes = try cursor.readInteger()
        case .undocumentedAttributes: fields.app.undocumentedTypes = try typeLists.read(.app, &cursor, bytes)
        case .undocumentedPurchaseAttributes:
            fields.app.undocumentedPurchaseTypes = try typeLists.read(.purchase, &cursor, bytes)
        case .issuers: try issuers(&cursor, bytes)
        case .octets:
            guard let token = try cursor.readText(), let range = base64(token, bytes) else {
                throw cursor.failure("octets have to be base64")
            }
            fields.octets = range
        // Versions bring their keys along; the loader makes its own.
        case .appVersionKey, .originalApplicationVersionKey: _ = try cursor.readValue(depth: 2)
        }
    }

    package mutating func purchases(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(InvalidJSON) -> Range<Int>
    {
        let start = purchases.count
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            guard purchases.count - start < AppReceipt.maximumPurchases else {
                throw cursor.failure("more than \(AppReceipt.maximumPurchases) purchases")
            }
            purchases.append(try purchase(&cursor, bytes))
        }
        return start..<purchases.count
    }

    private mutating func purchase(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) -> InAppPurchase {
        var purchase = InAppPurchase(transactionIdentifier: ByteRange(offset: 0, count: 0))
        var isFirst = true
        while let token = try cursor.nextKey(&isFirst) {
            switch purchaseKeys.value(at: token.range, bytes) {
            case .transactionID?:
                if let identifier = text(try cursor.readText(), bytes) { purchase.transactionIdentifier = identifier }
            case .originalTransactionID?:
                purchase.originalTransactionIdentifier = text(try cursor.readText(), bytes)
            case .productID?: purchase.productIdentifier = text(try cursor.readText(), bytes)
            case .quantity?: purchase.quantity = try cursor.readInteger()
            case .productType?: purchase.productType = try cursor.readInteger()
            case .purchaseDate?: purchase.purchaseDate = try time(&cursor)
            case .originalPurchaseDate?: purchase.originalPurchaseDate = try time(&cursor)
            case .expiresDate?: purchase.expiresDate = try time(&cursor)
            case .cancellationDate?: purchase.cancellationDate = try time(&cursor)
            case .webOrderLineItemID?: purchase.webOrderLineItemID = try cursor.readInteger()
            case .isTrialPeriod?: purchase.isTrialPeriod = try cursor.readInteger()
            case .isInIntroOfferPeriod?: purchase.isInIntroOfferPeriod = try cursor.readInteger()
            case .promotionalOfferID?: purchase.promotionalOfferIdentifier = text(try cursor.readText(), bytes)
            case nil: _ = try cursor.readValue(depth: 3)
            }
        }
        guard !purchase.transactionIdentifier.isEmpty else {
            throw cursor.failure("a purchase has to have a transaction_id")
        }
        return purchase
    }

    package mutating func rejection(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) -> (Unreadable, line: [UInt8]?) {
        var reason: RejectionReason?
        var detail = ""
        var line: [UInt8]?
        var isFirst = true
        while let token = try cursor.nextKey(&isFirst) {
            switch rejectionKeys.value(at: token.range, bytes) {
            case .reason?: reason = try Self.named(&reasons, &cursor, bytes)
            case .detail?: detail = try cursor.readText().flatMap { string($0, bytes) } ?? ""
            case .octets?:
                guard let token = try cursor.readText() else {
                    line = []
                    continue
                }
                guard let range = base64(token, bytes) else { throw cursor.failure("octets have to be base64") }
                line = Array(octets.octets[range.indices])
            case nil: _ = try cursor.readValue(depth: 2)
            }
        }
        guard let reason else { throw cursor.failure("rejection has to have a reason") }
        return (Unreadable(reason, detail), line)
    }

    /// A receipt with its purchases, held against what later work on it relies on.
    package func verified(_ receipt: Receipt, _ purchases: Range<Int>) throws(InvalidJSON) -> VerifiedReceipt {
        func require(_ condition: Bool, _ what: String) throws(InvalidJSON) {
            guard condition else { throw InvalidJSON(what: what, offset: 0) }
        }
        try require(receipt.purchaseCount == Int64(purchases.count), "purchase_count is not the length of purchases")
        var reviewable: ByteRange?
        if receipt.kind == .transactionReceipt {
            try require(purchases.count == 1, "a transaction receipt has to tell of one purchase")
            if receipt.verification.isReviewable { reviewable = receipt.octets ?? ByteRange(offset: 0, count: 0) }
        }
        if keepsReceipts || reviewable != nil {
            guard let whole = receipt.octets else {
                throw InvalidJSON(
                    what: keepsReceipts
                        ? "the receipt is not there whole: decode with --keep-receipts"
                        : "the receipt's octets are missing",
                    offset: 0)
            }
            let digest = try? sha256.sha256(octets.span, in: whole.indices)
            try require(
                digest == receipt.digest && Int64(whole.count) == receipt.bytes,
                "octets are not the receipt that sha256 and bytes tell of")
        }
        if let reviewable {
            var copy = ByteBuffer(capacity: 2 * reviewable.count)
            let whole = copy.append(octets.octets, in: reviewable.indices)
            let isReadable =
                copy.holdsTransactionReceipt(whole) && (try? TransactionReceiptVerifier.parse(whole, &copy)) != nil
            try require(isReadable, "octets are no transaction receipt")
        }
        return VerifiedReceipt(
            digest: receipt.digest, kind: receipt.kind, bytes: Int(receipt.bytes), app: receipt.app,
            purchases: purchases, verification: receipt.verification,
            whole: receipt.octets, reviewable: reviewable)
    }

    // MARK: Values

    private mutating func text(_ token: JSONToken?, _ bytes: Span<UInt8>) -> ByteRange? {
        guard let token else { return nil }
        guard token.hasEscapes else { return octets.append(bytes, in: token.range) }
        // A surrogate alone, which decode never writes, says nothing.
        return JSONString.unescaped(bytes, in: token.range).map { octets.append($0, in: $0.indices) }
    }

    package func string(_ token: JSONToken, _ bytes: Span<UInt8>) -> String? {
        if token.hasEscapes {
            return JSONString.unescaped(bytes, in: token.range).map { String(decoding: $0, as: UTF8.self) }
        }
        return bytes.extracting(token.range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func base64(_ token: JSONToken, _ bytes: Span<UInt8>) -> ByteRange? {
        token.hasEscapes ? nil : octets.appendBase64(bytes, in: token.range)
    }

    /// Milliseconds since 1970 UTC, of the years that dates of receipts may have.
    private func time(_ cursor: inout JSONCursor) throws(InvalidJSON) -> Int64? {
        guard let time = try cursor.readInteger() else { return nil }
        guard ReceiptDate.range.contains(time) else { throw cursor.failure("a time beyond the years 1 to 9999") }
        return time
    }

    private mutating func hex(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(InvalidJSON) -> ByteRange? {
        guard let token = try cursor.readText() else { return nil }
        guard let octets = Self.octets(ofHex: token.range, bytes) else { throw cursor.failure("expected hexadecimal") }
        return self.octets.append(octets, in: octets.indices)
    }

    package func digest(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(InvalidJSON) -> SHA256Digest {
        guard let token = try cursor.readText(), token.range.count == 2 * SHA256Digest.count,
            let octets = Self.octets(ofHex: token.range, bytes), let digest = SHA256Digest(bytes: octets)
        else { throw cursor.failure("expected 64 hexadecimal digits") }
        return digest
    }

    private static func octets(ofHex range: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard range.count.isMultiple(of: 2) else { return nil }
        var octets: [UInt8] = []
        octets.reserveCapacity(range.count / 2)
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            guard let high = JSONCursor.hexValue(bytes[index]), let low = JSONCursor.hexValue(bytes[index + 1]) else {
                return nil
            }
            octets.append(UInt8(high << 4 | low))
        }
        return octets
    }

    private static func named<Value>(
        _ texts: inout KnownTexts<Value>, _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) -> Value {
        guard let token = try cursor.readText(), let value = texts.value(at: token.range, bytes) else {
            throw cursor.failure("a word that this version does not know")
        }
        return value
    }

    private mutating func issuers(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(InvalidJSON) {
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            guard let token = try cursor.readText() else { throw cursor.failure("an issuer is empty") }
            if knownIssuers.contains(where: { ByteSearch.isEqual(bytes, token.range, $0) }) { continue }
            guard let range = base64(token, bytes),
                let found = try? issuers.insertCertificates(of: Array(octets.octets[range.indices])), found == 1
            else { throw cursor.failure("an issuer is no certificate in base64") }
            if knownIssuers.count == Self.greatestKnownIssuers { knownIssuers.removeFirst() }
            knownIssuers.append(bytes.extracting(token.range).withUnsafeBufferPointer { Array($0) })
        }
    }
}

/// What was read of a receipt so far.
private struct ReceiptFields {
    var digest: SHA256Digest?
    var kind: ReceiptKind?
    var verdict: Verdict?
    var detail, algorithm, signer: String?
    var app = AppReceipt()
    var bytes, purchaseCount: Int64?
    var octets: ByteRange?

    var receipt: DecodedObjects.Receipt? {
        guard let digest, let kind, let verdict, let algorithm, let bytes, let purchaseCount else { return nil }
        return DecodedObjects.Receipt(
            digest: digest, kind: kind,
            verification: Verification(verdict: verdict, detail: detail, digestAlgorithm: algorithm, signer: signer),
            app: app, bytes: bytes, purchaseCount: purchaseCount, octets: octets)
    }
}

extension KnownTexts where Value: CaseIterable & RawRepresentable<String> {
    /// The raw values of an enumeration.
    fileprivate static var table: KnownTexts { KnownTexts(Value.allCases.map { (Array($0.rawValue.utf8), $0) }) }
}
