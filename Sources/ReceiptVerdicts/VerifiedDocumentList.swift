package import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification
package import SignedDataFormat

/// Verified documents in the order in which they were given.
package struct VerifiedDocumentList: Sendable {
    /// The documents; those inside a notification follow the notification.
    package let batch: VerifiedBatch
    package let rows: [Row]

    /// The position of one given document in the batch.
    package struct Row: Sendable {
        /// The document and those inside it, as a range of the batch's receipts; empty if it can't be read.
        package fileprivate(set) var receipts = 0..<0
        /// The documents inside the document, as a range of the batch's parts.
        package fileprivate(set) var parts = 0..<0
        /// The check of the device that presented the document.
        package fileprivate(set) var deviceCheck: DeviceCheck?
        /// The reason why the document, or one inside it, can't be read; nil if all can.
        package fileprivate(set) var fault: Unreadable?
    }

    init(_ batch: VerifiedBatch) {
        self.batch = batch
        var rows = [Row](repeating: Row(), count: batch.lineCount)
        var (receipt, part) = (0, 0)
        for submission in batch.submissions {
            let (first, firstPart) = (receipt, part)
            receipt += 1
            // The ranks of a notification's parts ascend. Lower ranks belong to the next notification, which may be the
            // same one again.
            var rank = -1
            while part < batch.parts.count, batch.parts[part].holder == batch.receipts[first].digest,
                batch.parts[part].part.rank > rank
            {
                rank = batch.parts[part].part.rank
                (receipt, part) = (receipt + 1, part + 1)
            }
            rows[submission.line].receipts = first..<receipt
            rows[submission.line].parts = firstPart..<part
            rows[submission.line].deviceCheck = submission.deviceCheck
        }
        for rejection in batch.rejections { rows[rejection.line].fault = rejection.cause }
        self.rows = rows
    }

    /// The document of a row; nil if it can't be read.
    package func receipt(of row: Row) -> VerifiedReceipt? {
        row.receipts.first.map { batch.receipts[$0] }
    }

    /// The document of a row that states what a customer bought: the document itself or, for a notification, the
    /// transaction inside it or else the renewal info. Statements of an untrusted part of a notification are left out,
    /// because the row's verdict is the notification's.
    package func statement(of row: Row) -> VerifiedReceipt? {
        guard let document = receipt(of: row) else { return nil }
        switch document.kind {
        case .transactionReceipt, .signedTransaction, .signedRenewal: return document
        case .notification:
            let held = batch.receipts[row.receipts.dropFirst()].filter { $0.verification.verdict == .trusted }
            return held.first { $0.kind == .signedTransaction } ?? held.first { $0.kind == .signedRenewal }
        default: return nil
        }
    }

    /// The payload of a signed string; nil for a receipt.
    package func payload(of receipt: VerifiedReceipt) -> SignedPayload? {
        receipt.payload.map { batch.signedPayloads[$0] }
    }

    /// The purchases stated by a row's document and by those inside it, each with the document that states it.
    package func purchases(of row: Row) -> [(purchase: InAppPurchase, receipt: VerifiedReceipt)] {
        batch.receipts[row.receipts].flatMap { receipt in
            batch.purchases[receipt.purchases].map { ($0, receipt) }
        }
    }
}
