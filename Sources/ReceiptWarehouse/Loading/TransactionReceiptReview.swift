internal import GRDB
internal import MillDatabase
package import MillSystem
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
        // Only now, and each claim once: of many receipts that claim the same,
        // each can be the one whose claim stands when it is verified.
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
        try writer.change { db in
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
        try db.executeAgain(
            "UPDATE receipt SET verdict = ?, verdict_detail = ? WHERE receipt_id = ?",
            [verification.verdict.rawValue, verification.detail, receipt.id])
        if verification.isReviewable {
            try db.executeAgain(
                "UPDATE reviewable_receipt SET issuers = ? WHERE receipt_id = ?", [issuers, receipt.id])
        } else {
            try db.executeAgain("DELETE FROM reviewable_receipt WHERE receipt_id = ?", [receipt.id])
        }
    }

    /// Merges again what a receipt no longer claims, of every receipt that still claims it.
    /// They are stored, every one: only receipts that are not trusted claim.
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

    /// What was readable when it was stored is so now.
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
