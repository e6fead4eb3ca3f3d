internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptVerification

/// Replaces all stored receipts in one transaction: each receipt is written again and keeps its identifier.
package struct ReceiptReplacement {
    package let writer: WarehouseWriter

    /// Deletes all rows that receipts state, and all keys by which receipts are found, so that each receipt can be
    /// replaced.
    package init(_ writer: WarehouseWriter) throws(MillError) {
        self.writer = writer
        try writer.change(wholeBecause: .verification) { db in
            for table in LoaderTable.stated { try db.execute(sql: "DELETE FROM \(table)") }
        }
    }

    /// Writes a stored receipt again, with the rows that it states. The caller replaces all receipts, in the order of
    /// their identifiers.
    package func replace(_ receipt: Int64, with batch: VerifiedBatch) throws(MillError) {
        try writer.change { db in
            try writer.rows.replace(
                receipt, with: batch, merging: &writer.purchases, counting: &writer.progress.counts, db)
            // All receipts are replaced in one transaction, so keys are written in parts to limit the memory.
            if writer.rows.receipts.uncommitted.entries.count >= writer.windowSize {
                try writer.rows.insertKeys()
            }
            try writer.writePurchasesIfFull()
        }
    }
}
