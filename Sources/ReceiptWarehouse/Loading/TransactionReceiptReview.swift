internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust
internal import ReceiptVerification

/// Verdicts that change when an issuer becomes known.
///
/// A transaction receipt needs certificates that it does not carry. They may
/// stand in an app receipt of a later line, or be given with a later run. So that
/// the order of lines decides nothing, receipts that lack one are stored, and the
/// end of each run verifies those again that were verified knowing fewer issuers. More
/// issuers only make a verdict better: once trusted, a receipt is not stored.
package struct TransactionReceiptReview {
    private let writer: WarehouseWriter
    private let anchors: TrustAnchors

    package init(_ writer: WarehouseWriter, anchors: TrustAnchors) {
        (self.writer, self.anchors) = (writer, anchors)
    }

    /// Verifies stored receipts again where issuers were learned since the last time.
    ///
    /// One transaction, so that no kill falls between a verdict and the claims
    /// that depend on it; one receipt in memory, however many there are. A run that is cancelled takes the
    /// review back, and the next run makes it.
    package func run(stop: CancellationFlag = CancellationFlag()) throws(MillError) {
        try writer.commitUnlessStopped(stop) { () throws(MillError) in try review() }
    }

    private func review() throws(MillError) {
        let issuers = try writer.warehouse.documents.issuers()
        let isDue =
            try writer.warehouse.row("SELECT 1 FROM reviewable_receipt WHERE issuers < ? LIMIT 1", [issuers.count])
            != nil
        guard isDue else { return }
        // Receipts of one transaction are found by an index that a first load lacks.
        try writer.warehouse.access { db in try Schema.buildIndices(db, workers: writer.workers) }
        let verifier = try MillError.wrapping { () throws(OpenSSLError) in
            try TransactionReceiptVerifier(anchors: anchors, issuers: issuers)
        }
        try writer.change { try WithdrawnClaim.createTable($0) }
        var last: Int64 = 0
        while let receipt = try stored(
            "WHERE reviewable.issuers < ? AND receipt_id > ? ORDER BY receipt_id", [issuers.count, last])
        {
            last = receipt.id
            try review(receipt, verifier, knowing: issuers.count)
        }
        // Only now, and each claim once: of many receipts that claim the same,
        // each can be the one whose claim stands when it is verified.
        var lastClaim: Int64 = 0
        while let claim = try writer.warehouse.access({ try WithdrawnClaim.next(after: lastClaim, $0) }) {
            lastClaim = claim.id
            try restore(claim)
        }
        try writer.change { try WithdrawnClaim.dropTable($0) }
    }

    private func review(
        _ receipt: StoredReceipt, _ verifier: TransactionReceiptVerifier, knowing issuers: Int
    ) throws(MillError) {
        let parsed = try receipt.parsed()
        let verification = try MillError.wrapping { () throws(OpenSSLError) in
            try verifier.verify(parsed.parts, in: parsed.buffer.span)
        }
        let isChanged = verification.verdict != receipt.verdict
        try writer.change { db in
            try Self.save(verification, of: receipt, knowing: issuers, db)
            if isChanged { try WithdrawnClaim.withdraw(receipt, db) }
        }
        guard isChanged else { return }
        try merge(receipt, parsed, as: verification.verdict)
        writer.progress.recount(receipt.id, from: receipt.verdict, to: verification.verdict)
    }

    private static func save(
        _ verification: Verification, of receipt: StoredReceipt, knowing issuers: Int, _ db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE receipt SET verdict = ?, verdict_detail = ? WHERE receipt_id = ?",
            arguments: [verification.verdict.rawValue, verification.detail, receipt.id])
        if verification.isReviewable {
            try db.execute(
                sql: "UPDATE reviewable_receipt SET issuers = ? WHERE receipt_id = ?",
                arguments: [issuers, receipt.id])
        } else {
            try db.execute(
                sql: "DELETE FROM reviewable_receipt WHERE receipt_id = ?", arguments: [receipt.id])
        }
    }

    /// Merges again what a receipt no longer claims, of every receipt that still claims it.
    /// They are stored, every one: only receipts that are not trusted claim.
    private func restore(_ claim: WithdrawnClaim) throws(MillError) {
        var last: Int64 = 0
        while let receipt = try stored(
            """
            WHERE receipt.app_id = ? AND receipt_purchase.transaction_id = ? AND receipt.verdict = ?
                AND receipt_purchase.receipt_id > ? ORDER BY receipt_purchase.receipt_id
            """, [claim.app, claim.transaction, claim.verdict, last])
        {
            last = receipt.id
            try merge(receipt, try receipt.parsed(), as: receipt.verdict)
        }
    }

    private func merge(
        _ receipt: StoredReceipt, _ parsed: StoredReceipt.Parsed, as verdict: Verdict
    ) throws(MillError) {
        let source = PurchaseSource(
            kind: .transactionReceipt, digest: receipt.digest, receipt: receipt.id, app: receipt.app, verdict: verdict,
            creationDate: nil)
        try parsed.buffer.bytes.withUnsafeBufferPointer { (bytes) throws(MillError) in
            try writer.merge(parsed.parts.purchase, by: source, bytes)
        }
    }

    /// The first of the stored receipts that meet a condition, in its order.
    private func stored(
        _ condition: String, _ arguments: [any DatabaseValueConvertible]
    ) throws(MillError) -> StoredReceipt? {
        try writer.warehouse.access { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT receipt_id, receipt.sha256, receipt.app_id, receipt.verdict, receipt_purchase.transaction_id,
                        reviewable.octets
                    FROM reviewable_receipt AS reviewable
                    JOIN receipt USING (receipt_id)
                    JOIN receipt_purchase USING (receipt_id)
                    \(condition) LIMIT 1
                    """)
            return try Row.fetchOne(statement, arguments: StatementArguments(arguments)).map(StoredReceipt.init)
        }
    }
}
