internal import GRDB
internal import ReceiptFormat
internal import ReceiptTrust

/// The insert statements of the rows that come by the million, and their
/// binding.
struct Rows {
    private let receipt, submission, link, purchase, claim, rejection, reviewable: LoaderStatement
    // Bound values stay bound: words that seldom change are bound when they do.
    private var boundKind: ReceiptKind?
    private var boundVerdict: Verdict?
    private var boundDigestAlgorithm: String?
    private var boundDeviceCheck: DeviceCheck?

    init(_ db: Database) throws(MillError) {
        receipt = try LoaderStatement(
            db,
            """
            INSERT INTO receipt (receipt_id, sha256, verdict, verdict_detail, app_id, app_version_id,
                original_application_version_id, original_purchase_date, receipt_creation_date, expiration_date,
                app_item_id, version_external_identifier, download_id, digest_algorithm, signer_id, opaque_value,
                device_hash, purchase_count, bytes, kind)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (sha256) DO NOTHING
            """)
        submission = try LoaderStatement(
            db,
            """
            INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
            VALUES (?, ?, ?, ?, ?, ?)
            """)
        link = try LoaderStatement(
            db, "INSERT INTO receipt_purchase (receipt_id, transaction_id) VALUES (?, ?) ON CONFLICT DO NOTHING")
        purchase = try LoaderStatement(db, Self.upsert(into: "purchase", verdict: false))
        claim = try LoaderStatement(db, Self.upsert(into: "claimed_purchase", verdict: true))
        rejection = try LoaderStatement(
            db, "INSERT INTO rejection (archive_id, line, reason, detail) VALUES (?, ?, ?, ?)")
        reviewable = try LoaderStatement(
            db, "INSERT INTO reviewable_receipt (receipt_id, octets, issuers) VALUES (?, ?, ?)")
    }

    /// Inserts or merges by the rule of ``ToldPurchase/overrules(_:)``. A row that
    /// would not change is not written.
    private static func upsert(into table: String, verdict: Bool) -> String {
        let merged = [
            "original_transaction_id", "product_number", "quantity", "product_type", "purchase_date",
            "original_purchase_date", "expires_date", "cancellation_date", "web_order_line_item_id",
            "is_trial_period", "is_in_intro_offer_period", "promotional_offer_id", "told_at", "receipt_id",
        ]
        let columns = ["purchase_number", "app_id", "transaction_id"] + merged + (verdict ? ["verdict", "kind"] : [])
        return """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (app_id, transaction_id\(verdict ? ", verdict, kind" : "")) DO UPDATE
            SET \(merged.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE excluded.told_at > told_at
                OR (excluded.told_at = told_at AND excluded.receipt_id <> \(table).receipt_id
                    AND (SELECT sha256 FROM receipt WHERE receipt_id = excluded.receipt_id)
                        > (SELECT sha256 FROM receipt WHERE receipt_id = \(table).receipt_id))
            """
    }

    /// Numbers that stand for a receipt's texts.
    struct ReceiptReferences {
        let app: Int64
        let appVersion, originalVersion, signer: Int64?
    }

    /// - Returns: false where the receipt is in the database already.
    mutating func insert(
        _ graded: GradedReceipt, number: Int64, _ references: ReceiptReferences,
        in octets: UnsafeBufferPointer<UInt8>
    ) throws(MillError) -> Bool {
        if boundKind != graded.kind {
            boundKind = graded.kind
            receipt.bindCopy(20, graded.kind.rawValue)
        }
        if boundVerdict != graded.verification.verdict {
            boundVerdict = graded.verification.verdict
            receipt.bindCopy(3, graded.verification.verdict.rawValue)
        }
        if boundDigestAlgorithm != graded.verification.digestAlgorithm {
            boundDigestAlgorithm = graded.verification.digestAlgorithm
            receipt.bindCopy(14, graded.verification.digestAlgorithm)
        }
        try graded.digest.withBytes { (digest) throws(MillError) in
            receipt.bind(1, number)
            receipt.bindBlob(2, digest)
            receipt.bindCopy(4, graded.verification.detail)
            receipt.bind(5, references.app)
            receipt.bind(6, references.appVersion)
            receipt.bind(7, references.originalVersion)
            receipt.bind(8, graded.app.originalPurchaseDate)
            receipt.bind(9, graded.app.receiptCreationDate)
            receipt.bind(10, graded.app.expirationDate)
            receipt.bind(11, graded.app.appItemID)
            receipt.bind(12, graded.app.versionExternalIdentifier)
            receipt.bind(13, graded.app.downloadID)
            receipt.bind(15, references.signer)
            receipt.bindBlob(16, octets.bytes(graded.app.opaqueValue))
            receipt.bindBlob(17, octets.bytes(graded.app.sha1Hash))
            receipt.bind(18, Int64(graded.purchases.count))
            receipt.bind(19, Int64(graded.bytes))
            try receipt.run()
        }
        return receipt.changedRows == 1
    }

    mutating func insert(
        _ graded: GradedSubmission, number: Int64, receipt: Int64, in octets: UnsafeBufferPointer<UInt8>
    ) throws(MillError) {
        submission.bind(1, number)
        submission.bind(2, receipt)
        submission.bindText(3, octets.text(graded.device))
        submission.bindText(4, octets.text(graded.account))
        submission.bind(5, graded.submittedAt)
        if boundDeviceCheck != graded.deviceCheck {
            boundDeviceCheck = graded.deviceCheck
            submission.bindCopy(6, graded.deviceCheck.rawValue)
        }
        try submission.run()
    }

    func insertLink(receipt: Int64, transaction: TransactionIdentifier, texts: TextTable) throws(MillError) {
        link.bind(1, receipt)
        transaction.bind(2, of: link, texts: texts)
        try link.run()
    }

    /// - Returns: whether the purchase is new.
    func upsert(_ told: ToldPurchase, number: Int64, texts: TextTable) throws(MillError) -> Bool {
        let isTrusted = told.key.verdict == .trusted
        let statement = isTrusted ? purchase : claim
        statement.bind(1, number)
        statement.bind(2, told.key.app)
        told.key.transaction.bind(3, of: statement, texts: texts)
        if let original = told.originalTransaction {
            original.bind(4, of: statement, texts: texts)
        } else {
            statement.bind(4, nil)
        }
        statement.bind(5, told.product)
        statement.bind(6, told.quantity)
        statement.bind(7, told.productType)
        statement.bind(8, told.purchaseDate)
        statement.bind(9, told.originalPurchaseDate)
        statement.bind(10, told.expiresDate)
        statement.bind(11, told.cancellationDate)
        statement.bind(12, told.webOrderLineItemID)
        statement.bind(13, told.isTrialPeriod)
        statement.bind(14, told.isInIntroOfferPeriod)
        statement.bindCopy(15, told.promotionalOffer.map { texts[$0] })
        statement.bind(16, told.toldAt)
        statement.bind(17, told.receiptNumber)
        if !isTrusted {
            statement.bindCopy(18, told.key.verdict.rawValue)
            statement.bindCopy(19, told.key.kind.rawValue)
        }
        try statement.run()
        return statement.changedRows == 1 && statement.lastInsertedRow == number
    }

    /// Keeps a receipt that may be judged anew; `issuers` were known when it was
    /// judged.
    func insertReviewable(receipt: Int64, octets: UnsafeRawBufferPointer?, issuers: Int) throws(MillError) {
        reviewable.bind(1, receipt)
        reviewable.bindBlob(2, octets)
        reviewable.bind(3, Int64(issuers))
        try reviewable.run()
    }

    func insert(_ refused: Rejection, archive: Int64, line: Int64) throws(MillError) {
        rejection.bind(1, archive)
        rejection.bind(2, line)
        rejection.bindCopy(3, refused.cause.reason.rawValue)
        rejection.bindCopy(4, refused.cause.detail)
        try rejection.run()
    }
}

extension UnsafeBufferPointer<UInt8> {
    func part(_ range: ByteRange) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range.indices])
    }

    /// The part at a range; nil for nil.
    func text(_ range: ByteRange?) -> UnsafeBufferPointer<UInt8>? { range.map(part) }

    func bytes(_ range: ByteRange?) -> UnsafeRawBufferPointer? {
        text(range).map { UnsafeRawBufferPointer($0) }
    }
}
