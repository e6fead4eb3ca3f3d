internal import GRDB
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Buffers the rows of a batch, and the links and installation keys (lineages) of a window, and inserts all rows of a
/// table with one statement.
struct RowWriter {
    private var receipts = RowBuffer(columnCount: 23)
    private var links = RowBuffer(columnCount: 2)
    private var digests = RowBuffer(columnCount: 2)
    private var lineages = RowBuffer(columnCount: 2)
    private var submissions = RowBuffer(columnCount: 8)
    private let tags: IdentifierTags
    /// Whether links are collected and inserted in the order of their transactions. This is faster only if the index by
    /// transaction exists, which a first load builds at its end.
    private let sortsLinks: Bool
    private let receipt, digest, lineage, submission, link, rejection, reviewable: LoaderStatement

    /// When the collected links have this many bytes, no more are collected: the links of some 90,000 receipts.
    private static let linkCapacity = 6 << 20
    /// The number of rows of digests that are made at a time; more would only copy digests that the caller already
    /// holds.
    private static let digestsAtOnce = 1_000
    /// The number of bytes of a device hash by which its installation is found: `hash_prefix` in the schema.
    static let hashPrefixSize = 6

    init(_ db: Database, tags: IdentifierTags, sortsLinks: Bool) throws(MillError) {
        self.tags = tags
        self.sortsLinks = sortsLinks
        receipt = try LoaderStatement(
            db,
            Self.insert(
                into: "receipt",
                [
                    "receipt_id", "sha256", "kind", "verdict", "verdict_detail", "app_id", "app_version_id",
                    "original_application_version_id", "original_purchase_date", "receipt_creation_date",
                    "expiration_date", "app_item_id", "version_external_identifier", "download_id",
                    "digest_algorithm", "signer_id", "opaque_value", "device_hash", "purchase_count", "bytes",
                    "attribute_set_id", "purchase_attribute_set_id", "unknown_set_id",
                ]))
        digest = try LoaderStatement(db, Self.insert(into: "receipt_digest", ["sha256", "receipt_id"]))
        lineage = try LoaderStatement(db, Self.insert(into: "receipt_lineage", ["hash_prefix", "receipt_id"]))
        submission = try LoaderStatement(
            db,
            Self.insert(
                into: "submission",
                [
                    "submission_id", "receipt_id", "device_id", "account_id", "submitted_at", "device_check",
                    "device_tag", "account_tag",
                ]))
        link = try LoaderStatement(db, Self.insert(into: "receipt_purchase", ["receipt_id", "transaction_id"]))
        rejection = try LoaderStatement(
            db,
            """
            INSERT INTO rejection (archive_id, line, document, reason, detail, status)
            VALUES (?, ?, ?, ?, ?, iif(?, 'dismissed', 'open'))
            """)
        reviewable = try LoaderStatement(
            db, "INSERT INTO reviewable_receipt (receipt_id, octets, issuers) VALUES (?, ?, ?)")
    }

    /// The statement that inserts buffered rows. A row that fails is an internal error, after which the whole
    /// transaction is rolled back. So SQLite need not keep a journal to undo the single statement.
    static func insert(into table: String, _ columns: [String]) -> String {
        "INSERT OR ROLLBACK INTO \(table) (\(columns.joined(separator: ", "))) "
            + RowBuffer.selection(columns: columns.count)
    }

    /// Identifiers of the rows to which a receipt's row refers.
    struct ReceiptReferences {
        let app: Int64
        let appVersion, originalVersion, signer: Int64?
        let attributeSet, purchaseAttributeSet, unknownSet: Int64?
    }

    mutating func put(
        _ verified: VerifiedReceipt, id: Int64, _ references: ReceiptReferences,
        in bytes: UnsafeBufferPointer<UInt8>
    ) {
        receipts.begin()
        receipts.put(id)
        receipts.put(verified.digest)
        receipts.putText(verified.kind.rawValue)
        receipts.putText(verified.verification.verdict.rawValue)
        receipts.putText(verified.verification.detail)
        receipts.put(references.app)
        receipts.put(references.appVersion)
        receipts.put(references.originalVersion)
        receipts.put(verified.app.originalPurchaseDate)
        receipts.put(verified.app.receiptCreationDate)
        receipts.put(verified.app.expirationDate)
        receipts.put(verified.app.appItemID)
        receipts.put(verified.app.versionExternalIdentifier)
        receipts.put(verified.app.downloadID)
        receipts.putText(verified.verification.digestAlgorithm)
        receipts.put(references.signer)
        receipts.putBlob(bytes.part(verified.app.opaqueValue))
        receipts.putBlob(bytes.part(verified.app.sha1Hash))
        receipts.put(Int64(verified.purchases.count))
        receipts.put(Int64(verified.bytes))
        receipts.put(references.attributeSet)
        receipts.put(references.purchaseAttributeSet)
        receipts.put(references.unknownSet)
        putLineage(of: verified, id: id, in: bytes)
    }

    private mutating func putLineage(of verified: VerifiedReceipt, id: Int64, in bytes: UnsafeBufferPointer<UInt8>) {
        guard verified.app.opaqueValue != nil, let hash = bytes.part(verified.app.sha1Hash) else { return }
        lineages.begin()
        lineages.putBlob(UnsafeBufferPointer(rebasing: hash.prefix(Self.hashPrefixSize)))
        lineages.put(id)
    }

    mutating func put(
        _ verified: VerifiedSubmission, id: Int64, receipt: Int64, in bytes: UnsafeBufferPointer<UInt8>
    ) {
        submissions.begin()
        submissions.put(id)
        submissions.put(receipt)
        submissions.putText(bytes.part(verified.device))
        submissions.putText(bytes.part(verified.account))
        submissions.put(verified.submittedAt)
        submissions.putText(verified.deviceCheck.rawValue)
        submissions.put(bytes.part(verified.device).map(tags.tag(ofDevice:)))
        submissions.put(bytes.part(verified.account).map(tags.tag(ofAccount:)))
    }

    mutating func putLink(receipt: Int64, transaction: TransactionIdentifier, texts: TextTable) {
        links.begin()
        links.put(receipt)
        transaction.put(into: &links, texts: texts)
    }

    /// Inserts the buffered receipts.
    mutating func insertReceipts() throws(MillError) {
        try receipt.run(receipts)
        receipts.removeAll()
    }

    /// Inserts the keys by which receipts are found: digests and lineages.
    ///
    /// The keys of a window are inserted together and sorted, so that each page of their tables is written once for
    /// each window, not once for each receipt.
    ///
    /// - Parameter receipts: the receipts since the last call.
    mutating func insertKeys(of receipts: [(digest: SHA256Digest, number: Int64)]) throws(MillError) {
        var order = receipts.indices.map(Int32.init)
        order.sort { receipts[Int($0)].digest.leadingWord < receipts[Int($1)].digest.leadingWord }
        for part in stride(from: 0, to: order.count, by: Self.digestsAtOnce) {
            for index in order[part..<min(part + Self.digestsAtOnce, order.count)] {
                digests.begin()
                digests.put(receipts[Int(index)].digest)
                digests.put(receipts[Int(index)].number)
            }
            try digest.run(digests)
            digests.removeAll()
        }
        try lineage.run(lineages, in: lineages.order(by: 0)[...])
        lineages.removeAll()
    }

    /// Inserts all buffered links.
    mutating func insertLinks() throws(MillError) {
        try link.run(links, in: sortsLinks ? links.order(by: 1)[...] : nil)
        links.removeAll()
    }

    /// Inserts the buffered submissions, and also the links unless they are being collected.
    mutating func insertBatch() throws(MillError) {
        if !sortsLinks || links.size >= Self.linkCapacity { try insertLinks() }
        try submission.run(submissions)
        submissions.removeAll()
    }

    /// Stores a receipt that may be verified again; `issuers` is the number of issuers that were known when it was
    /// verified.
    func insertReviewable(receipt: Int64, content: UnsafeBufferPointer<UInt8>, issuers: Int) throws(MillError) {
        try reviewable.run(receipt, LentBlob(UnsafeRawBufferPointer(content)), Int64(issuers))
    }

    func insert(_ refused: Rejection, archive: Int64, line: Int64) throws(MillError) {
        try rejection.run(
            archive, line, Int64(refused.document), refused.cause.reason.rawValue, refused.cause.detail,
            Int64(refused.isDismissed ? 1 : 0))
    }
}
