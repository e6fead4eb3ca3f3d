internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Reads the objects of decoded lines, and gathers a batch's bytes, purchases
/// and issuers.
struct DecodedObjects {
    struct Submission {
        var device, account: ByteRange?
        var submittedAt: Int64?
        var deviceCheck = DeviceCheck.noHash
        var naming = DecodedBatch.Naming.none

        func verified(line: Int, document: Int, _ receipt: SHA256Digest) -> VerifiedSubmission {
            VerifiedSubmission(
                line: line, document: document, receipt: receipt, storedReceipt: nil, device: device, account: account,
                submittedAt: submittedAt, deviceCheck: deviceCheck)
        }
    }

    let keepsReceipts: Bool
    let sha256: MessageDigest
    private var submissionKeys = DecodedKeys.Submission.table
    private var receiptKeys = DecodedKeys.Receipt.table
    private var purchaseKeys = DecodedKeys.Purchase.table
    private var rejectionKeys = DecodedKeys.Rejection.table
    var signedKeys = SignedObject.Tables()
    private var partNames = KnownTexts<SignedPart>.table
    private var deviceChecks = KnownTexts<DeviceCheck>.table
    private var kinds = KnownTexts<ReceiptKind>.table
    private var verdicts = KnownTexts<Verdict>.table
    private var reasons = KnownTexts<RejectionReason>.table

    private(set) var content = ByteBuffer(capacity: 0)
    private var purchases: [InAppPurchase] = []
    /// What signed documents state beside.
    var signedPayloads: [SignedPayload] = []
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
    mutating func begin(capacity: Int) {
        content = ByteBuffer(capacity: capacity / 2)
        // The last batch has these, on another thread: as many are expected again, in memory of their own.
        let expected = (purchases: purchases.count, signedPayloads: signedPayloads.count)
        (purchases, signedPayloads) = ([], [])
        purchases.reserveCapacity(expected.purchases)
        signedPayloads.reserveCapacity(expected.signedPayloads)
    }

    /// Gives a batch what its runs point into.
    mutating func end(_ batch: inout DecodedBatch) {
        for index in batch.runs.indices {
            batch.runs[index].verified.bytes = content.bytes
            batch.runs[index].verified.purchases = purchases
            batch.runs[index].verified.signedPayloads = signedPayloads
        }
        batch.measure()
        batch.issuers = issuers
        issuers = IssuerCertificates()
    }

    // MARK: Objects

    mutating func submission(_ cursor: inout JSONCursor) throws(InvalidJSON) -> Submission {
        var submission = Submission()
        var deviceCheck: DeviceCheck?
        var isFirst = true
        while let key = try submissionKeys.nextKey(of: &cursor, &isFirst, depth: 2) {
            switch key {
            case .deviceID: submission.device = try text(&cursor)
            case .accountID: submission.account = try text(&cursor)
            case .pseudonymKey: submission.naming = .key(try digest(&cursor).bytes)
            case .submittedAt: submission.submittedAt = try time(&cursor)
            case .deviceCheck: deviceCheck = try Self.named(&deviceChecks, &cursor)
            case .appCheck: _ = try cursor.readValue(depth: 2)
            }
        }
        guard let deviceCheck else { throw cursor.failure("submission has to have a device_check") }
        submission.deviceCheck = deviceCheck
        return submission
    }

    /// Reads a receipt. Its purchases are as many as it states, for ``verified(_:_:)``
    /// to compare with those that there are.
    mutating func receipt(_ cursor: inout JSONCursor) throws(InvalidJSON) -> VerifiedReceipt {
        var fields = ReceiptFields()
        var seen = KeysSeen()
        var isFirst = true
        while let key = try receiptKeys.nextKey(of: &cursor, &isFirst, depth: 2) {
            try seen.insert(receiptKeys.last, cursor)
            switch key {
            case .sha256: fields.digest = try digest(&cursor)
            case .kind: fields.kind = try Self.named(&kinds, &cursor)
            case .verdict: fields.verdict = try Self.named(&verdicts, &cursor)
            case .verdictDetail: fields.detail = try string(&cursor)
            case .environment: fields.app.environment = try text(&cursor)
            case .bundleID: fields.app.bundleIdentifier = try text(&cursor)
            case .appVersion: fields.app.appVersion = try text(&cursor)
            case .originalApplicationVersion: fields.app.originalApplicationVersion = try text(&cursor)
            case .originalPurchaseDate: fields.app.originalPurchaseDate = try time(&cursor)
            case .receiptCreationDate: fields.app.receiptCreationDate = try time(&cursor)
            case .expirationDate: fields.app.expirationDate = try time(&cursor)
            case .appItemID: fields.app.appItemID = try cursor.readInteger()
            case .versionExternalIdentifier: fields.app.versionExternalIdentifier = try cursor.readInteger()
            case .downloadID: fields.app.downloadID = try cursor.readInteger()
            case .digestAlgorithm: fields.algorithm = try string(&cursor)
            case .signer: fields.signer = try string(&cursor)
            case .opaqueValue: fields.app.opaqueValue = try hex(&cursor)
            case .deviceHash: fields.app.sha1Hash = try hex(&cursor)
            case .purchaseCount: fields.purchaseCount = try cursor.readInteger()
            case .bytes: fields.bytes = try cursor.readInteger()
            case .undocumentedAttributes: fields.app.undocumentedTypes = try typeLists.read(.app, &cursor)
            case .undocumentedPurchaseAttributes:
                fields.app.undocumentedPurchaseTypes = try typeLists.read(.purchase, &cursor)
            case .issuers: try issuers(&cursor)
            case .content: fields.content = try base64(&cursor)
            // Versions bring their keys along; the loader makes its own.
            case .appVersionKey, .originalApplicationVersionKey: _ = try cursor.readValue(depth: 2)
            }
        }
        guard let digest = fields.digest, let kind = fields.kind, let verdict = fields.verdict,
            let algorithm = fields.algorithm, let count = fields.bytes, let purchaseCount = fields.purchaseCount
        else {
            throw cursor.failure(
                "receipt has to have sha256, kind, verdict, digest_algorithm, purchase_count and bytes")
        }
        guard count >= 0, purchaseCount >= 0 else { throw cursor.failure("bytes and purchase_count can't be negative") }
        return VerifiedReceipt(
            digest: digest, kind: kind, bytes: Int(count), app: fields.app, purchases: 0..<Int(purchaseCount),
            verification: Verification(
                verdict: verdict, detail: fields.detail, digestAlgorithm: algorithm, signer: fields.signer),
            whole: fields.content, reviewable: nil)
    }

    mutating func part(_ cursor: inout JSONCursor) throws(InvalidJSON) -> SignedPart {
        try Self.named(&partNames, &cursor)
    }

    mutating func purchases(_ cursor: inout JSONCursor) throws(InvalidJSON) -> Range<Int> {
        let start = purchases.count
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            guard purchases.count - start < AppReceipt.maximumPurchases else {
                throw cursor.failure("more than \(AppReceipt.maximumPurchases) purchases")
            }
            purchases.append(try purchase(&cursor))
        }
        return start..<purchases.count
    }

    private mutating func purchase(_ cursor: inout JSONCursor) throws(InvalidJSON) -> InAppPurchase {
        var purchase = InAppPurchase(transactionIdentifier: ByteRange(offset: 0, count: 0))
        var isFirst = true
        while let key = try purchaseKeys.nextKey(of: &cursor, &isFirst, depth: 3) {
            switch key {
            case .transactionID:
                purchase.transactionIdentifier = try text(&cursor) ?? purchase.transactionIdentifier
            case .originalTransactionID: purchase.originalTransactionIdentifier = try text(&cursor)
            case .productID: purchase.productIdentifier = try text(&cursor)
            case .quantity: purchase.quantity = try cursor.readInteger()
            case .productType: purchase.productType = try cursor.readInteger()
            case .purchaseDate: purchase.purchaseDate = try time(&cursor)
            case .originalPurchaseDate: purchase.originalPurchaseDate = try time(&cursor)
            case .expiresDate: purchase.expiresDate = try time(&cursor)
            case .cancellationDate: purchase.cancellationDate = try time(&cursor)
            case .webOrderLineItemID: purchase.webOrderLineItemID = try cursor.readInteger()
            case .isTrialPeriod: purchase.isTrialPeriod = try cursor.readInteger()
            case .isInIntroOfferPeriod: purchase.isInIntroOfferPeriod = try cursor.readInteger()
            case .promotionalOfferID: purchase.promotionalOfferIdentifier = try text(&cursor)
            }
        }
        guard !purchase.transactionIdentifier.isEmpty else {
            throw cursor.failure("a purchase has to have a transaction_id")
        }
        return purchase
    }

    mutating func rejection(_ cursor: inout JSONCursor) throws(InvalidJSON) -> (Unreadable, line: [UInt8]?) {
        var reason: RejectionReason?
        var detail = ""
        var line: [UInt8]?
        var isFirst = true
        while let key = try rejectionKeys.nextKey(of: &cursor, &isFirst, depth: 2) {
            switch key {
            case .reason: reason = try Self.named(&reasons, &cursor)
            case .detail: detail = try string(&cursor) ?? ""
            case .content: line = try base64(&cursor).map { Array(content.bytes[$0.indices]) } ?? []
            }
        }
        guard let reason else { throw cursor.failure("rejection has to have a reason") }
        return (Unreadable(reason, detail), line)
    }

    // MARK: Values

    mutating func text(_ cursor: inout JSONCursor) throws(InvalidJSON) -> ByteRange? {
        guard let token = try cursor.readText() else { return nil }
        guard token.hasEscapes else { return content.append(cursor.bytes, in: token.range) }
        // A lone surrogate, which decode never writes, counts as absent.
        return JSONString.unescaped(cursor.bytes, in: token.range).map { content.append($0) }
    }

    func string(_ cursor: inout JSONCursor) throws(InvalidJSON) -> String? {
        guard let token = try cursor.readText() else { return nil }
        if token.hasEscapes {
            return JSONString.unescaped(cursor.bytes, in: token.range).map { String(decoding: $0, as: UTF8.self) }
        }
        return cursor.bytes.extracting(token.range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// The content of a receipt or a line; nil where it is empty.
    private mutating func base64(_ cursor: inout JSONCursor) throws(InvalidJSON) -> ByteRange? {
        guard let token = try cursor.readText() else { return nil }
        guard !token.hasEscapes, let range = content.appendBase64(cursor.bytes, in: token.range) else {
            throw cursor.failure("octets have to be base64")
        }
        return range
    }

    /// Milliseconds since 1970 UTC, of the years that dates of receipts may have.
    func time(_ cursor: inout JSONCursor) throws(InvalidJSON) -> Int64? {
        guard let time = try cursor.readInteger() else { return nil }
        guard ReceiptDate.range.contains(time) else { throw cursor.failure("a time beyond the years 1 to 9999") }
        return time
    }

    private mutating func hex(_ cursor: inout JSONCursor) throws(InvalidJSON) -> ByteRange? {
        guard let token = try cursor.readText() else { return nil }
        guard let decoded = Self.decoded(hex: token.range, cursor.bytes) else {
            throw cursor.failure("expected hexadecimal")
        }
        return content.append(decoded)
    }

    func digest(_ cursor: inout JSONCursor) throws(InvalidJSON) -> SHA256Digest {
        guard let token = try cursor.readText(), token.range.count == 2 * SHA256Digest.count,
            let decoded = Self.decoded(hex: token.range, cursor.bytes), let digest = SHA256Digest(bytes: decoded)
        else { throw cursor.failure("expected 64 hexadecimal digits") }
        return digest
    }

    private static func decoded(hex range: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard range.count.isMultiple(of: 2) else { return nil }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count / 2)
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            guard let high = JSONCursor.hexValue(bytes[index]), let low = JSONCursor.hexValue(bytes[index + 1]) else {
                return nil
            }
            decoded.append(UInt8(high << 4 | low))
        }
        return decoded
    }

    private static func named<Value>(
        _ texts: inout KnownTexts<Value>, _ cursor: inout JSONCursor
    ) throws(InvalidJSON) -> Value {
        guard let token = try cursor.readText(), let value = texts.value(at: token.range, cursor.bytes) else {
            throw cursor.failure("a word that this version does not know")
        }
        return value
    }

    private mutating func issuers(_ cursor: inout JSONCursor) throws(InvalidJSON) {
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            guard let token = try cursor.readText() else { throw cursor.failure("an issuer is empty") }
            if knownIssuers.contains(where: { ByteSearch.isEqual(cursor.bytes, token.range, $0) }) { continue }
            guard !token.hasEscapes, let range = content.appendBase64(cursor.bytes, in: token.range),
                let found = try? issuers.insertCertificates(of: Array(content.bytes[range.indices])), found == 1
            else { throw cursor.failure("an issuer is no certificate in base64") }
            if knownIssuers.count == Self.greatestKnownIssuers { knownIssuers.removeFirst() }
            knownIssuers.append(cursor.bytes.extracting(token.range).withUnsafeBufferPointer { Array($0) })
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
    var content: ByteRange?
}

/// Refuses a whole line.
func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(InvalidJSON) {
    guard condition else { throw InvalidJSON(what: what(), offset: 0) }
}

extension KnownTexts where Value: CaseIterable & RawRepresentable<String> {
    /// The raw values of an enumeration.
    fileprivate static var table: KnownTexts { KnownTexts(Value.allCases.map { (Array($0.rawValue.utf8), $0) }) }
}
