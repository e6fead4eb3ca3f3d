internal import GRDB
package import MillSystem
package import ReceiptVerification

/// Replaces what stored receipts state, in one transaction: every receipt is written anew under the identifier that it
/// has.
package struct ReceiptReplacement {
    package let writer: WarehouseWriter

    /// Deletes what all receipts state, and every key by which receipts are found, so that
    /// each can be replaced.
    package init(_ writer: WarehouseWriter) throws(MillError) {
        self.writer = writer
        try writer.change { db in
            for table in [
                "purchase", "claimed_purchase", "purchase_terms", "receipt_purchase", "reviewable_receipt",
                "receipt_digest", "receipt_lineage", "revocation", "renewal", "notification", "app_transaction",
            ] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
        }
    }

    /// Writes a stored receipt and what it states anew. All are written so, in the order of their identifiers.
    package func replace(_ receipt: Int64, with batch: VerifiedBatch) throws(MillError) {
        try writer.change { db in
            try writer.rows.replace(
                receipt, with: batch, merging: &writer.purchases, counting: &writer.progress.counts, db)
            // All are one transaction, and memory is not to grow with it.
            if writer.rows.receipts.uncommitted.entries.count >= writer.windowSize {
                try writer.rows.insertKeys()
            }
            try writer.writePurchasesIfFull()
        }
    }
}
