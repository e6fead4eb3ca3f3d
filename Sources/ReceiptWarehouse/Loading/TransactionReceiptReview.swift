internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust
internal import ReceiptVerification

/// Verifies transaction receipts again when an issuer becomes known.
///
/// A transaction receipt needs certificates that it does not contain. An app receipt of a later line may contain them,
/// or the user may name them in a later run. To make the order of lines irrelevant, receipts without an issuer are
/// stored, and each run ends by verifying again those that were verified with fewer issuers than are known now. More
/// issuers can only improve a verdict, so a receipt that has become trusted is no longer stored.
package struct TransactionReceiptReview {
    private let writer: WarehouseWriter
    private let anchors: TrustAnchors

    package init(_ writer: WarehouseWriter, anchors: TrustAnchors) {
        (self.writer, self.anchors) = (writer, anchors)
    }

    /// Verifies stored receipts again if issuers were learned since their last verification.
    ///
    /// The review is one transaction, so that a kill never separates a verdict from the claims that depend on it.
    /// Memory holds one receipt at a time. A cancelled run rolls back the review, and the next run repeats it.
    package func run(stop: CancellationFlag = CancellationFlag()) throws(MillError) {
        try writer.commitUnlessStopped(stop) { () throws(MillError) in try review() }
    }

    private func review() throws(MillError) {
        let issuers = try writer.warehouse.documents.issuers()
        let isDue =
            try writer.warehouse.row("SELECT 1 FROM reviewable_receipt WHERE issuers < ? LIMIT 1", [issuers.count])
            != nil
        guard isDue else { return }
        // The review finds receipts by their transaction, through an index that a first load lacks.
        try writer.warehouse.access { db in try Schema.buildIndices(db, workers: writer.workers) }
        let verifier = try MillError.wrapping { () throws(OpenSSLError) in
            try ReceiptVerifier(anchors: anchors, issuers: issuers)
        }
        try writer.change { try WithdrawnClaim.createTable($0) }
        var last: Int64 = 0
        while let receipt = try writer.warehouse.documents.firstStored(
            "SELECT receipt_id FROM reviewable_receipt WHERE issuers < ? AND receipt_id > ?", [issuers.count, last])
        {
            last = receipt.id
            try review(receipt, verifier, knowing: issuers.count)
        }
        // Claims are restored, each once, after all verdicts are known: while verdicts still change, any of the
        // receipts that state a claim could be the one that counts.
        var lastClaim: Int64 = 0
        while let claim = try writer.warehouse.access({ try WithdrawnClaim.next(after: lastClaim, $0) }) {
            lastClaim = claim.id
            try restore(claim, verifier)
        }
        try writer.change { try WithdrawnClaim.dropTable($0) }
    }

    private func review(
        _ receipt: StoredDocument, _ verifier: ReceiptVerifier, knowing issuers: Int
    ) throws(MillError) {
        let batch = try verified(receipt, verifier)
        guard let verification = batch.receipts.first?.verification else { return }
        let isChanged = verification.verdict != receipt.verdict
        try writer.change(wholeBecause: isChanged ? .verification : nil) { db in
            try Self.save(verification, of: receipt, knowing: issuers, db)
            if isChanged { try WithdrawnClaim.withdraw(receipt, db) }
        }
        guard isChanged else { return }
        try writer.merge(batch, ofStored: receipt.id, app: receipt.app, verification.verdict)
        writer.progress.recount(receipt.id, from: receipt.verdict, to: verification.verdict)
    }

    private static func save(
        _ verification: Verification, of receipt: StoredDocument, knowing issuers: Int, _ db: Database
    ) throws {
        try db.executeCached(
            "UPDATE receipt SET verdict = ?, verdict_detail = ? WHERE receipt_id = ?",
            [verification.verdict.rawValue, verification.detail, receipt.id])
        if verification.isReviewable {
            try db.executeCached(
                "UPDATE reviewable_receipt SET issuers = ? WHERE receipt_id = ?", [issuers, receipt.id])
        } else {
            try db.executeCached("DELETE FROM reviewable_receipt WHERE receipt_id = ?", [receipt.id])
        }
    }

    /// Merges a withdrawn claim again from every receipt that still states it. Every claiming receipt is stored whole,
    /// since trusted receipts make no claims.
    private func restore(_ claim: WithdrawnClaim, _ verifier: ReceiptVerifier) throws(MillError) {
        var last: Int64 = 0
        while let receipt = try writer.warehouse.documents.firstStored(
            """
            SELECT receipt_id
            FROM receipt_purchase JOIN receipt USING (receipt_id) JOIN reviewable_receipt USING (receipt_id)
            WHERE app_id = ? AND transaction_id = ? AND verdict = ? AND receipt_id > ?
            """, [claim.app, claim.transaction, claim.verdict, last])
        {
            last = receipt.id
            let batch = try verified(receipt, verifier)
            try writer.merge(batch, ofStored: receipt.id, app: receipt.app, receipt.verdict)
        }
    }

    /// Verifies a stored receipt, which was readable when it was stored. If it can't be read, this is an internal
    /// error.
    private func verified(_ receipt: StoredDocument, _ verifier: ReceiptVerifier) throws(MillError) -> VerifiedBatch {
        do throws(MillError) {
            return try receipt.verified(by: verifier, path: writer.warehouse.path)
        } catch {
            var fault = error
            fault.exitStatus = .internalFault
            throw fault
        }
    }
}
