internal import GRDB
internal import ReceiptFormat
internal import ReceiptTrust

/// Verdicts that change when an issuer becomes known.
///
/// A transaction receipt needs certificates that it does not carry. They may
/// stand in an app receipt of a later line, or be given with a later run. So that
/// the order of lines decides nothing, receipts that lack one are kept, and the
/// end of each run judges those anew that were judged knowing fewer issuers. More
/// issuers only make a verdict better: once trusted, a receipt is not kept.
extension Loader {
    /// Receipts of one transaction of the database: what is held in memory.
    private static let reviewSize = 256

    /// Ends a run's load.
    ///
    /// - Parameter review: false of a run that was asked to stop: reviews and
    ///   indices can take long, and the next run sees to them.
    func end(review: Bool, anchors: TrustAnchors) throws(MillError) {
        guard review else { return try commit() }
        try self.review(anchors: anchors)
        try finish()
    }

    /// Judges kept receipts anew where issuers were learned since the last time.
    ///
    /// A run that is killed meanwhile has judged some; the next judges the rest.
    func review(anchors: TrustAnchors) throws(MillError) {
        try commit()
        let issuers = try warehouse.issuers()
        let isDue = try warehouse.access { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM reviewable_receipt WHERE issuers < ?)",
                arguments: [issuers.count]) ?? false
        }
        guard isDue else { return }
        // Claims of one transaction are found by an index that a first load lacks.
        try warehouse.access(Schema.buildIndices)
        let judge = try MillError.wrapping { () throws(OpenSSLError) in
            try TransactionJudge(anchors: anchors, issuers: issuers)
        }
        var last: Int64 = 0
        while true {
            let kept = try warehouse.access { db in
                try Self.kept(
                    db, "WHERE reviewable.issuers < ? AND receipt_id > ? ORDER BY receipt_id LIMIT ?",
                    [issuers.count, last, Self.reviewSize])
            }
            guard let final = kept.last else { return }
            last = final.number
            try review(kept, judge, knowing: issuers.count)
            try commit()
        }
    }

    private func review(
        _ kept: [KeptReceipt], _ judge: TransactionJudge, knowing issuers: Int
    ) throws(MillError) {
        var withdrawn: [KeptReceipt] = []
        for receipt in kept {
            let parsed = try receipt.parsed()
            let verification = try MillError.wrapping { () throws(OpenSSLError) in
                try judge.verify(parsed.parts, in: parsed.octets.span)
            }
            try write { db in
                try Self.save(verification, of: receipt, knowing: issuers, db)
            }
            guard verification.verdict != receipt.verdict else { continue }
            withdrawn.append(receipt)
            try tell(receipt, parsed, as: verification.verdict)
            recount(receipt.number, from: receipt.verdict, to: verification.verdict)
        }
        for receipt in withdrawn { try withdrawClaim(of: receipt) }
    }

    private static func save(
        _ verification: Verification, of receipt: KeptReceipt, knowing issuers: Int, _ db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE receipt SET verdict = ?, verdict_detail = ? WHERE receipt_id = ?",
            arguments: [verification.verdict.rawValue, verification.detail, receipt.number])
        if verification.isReviewable {
            try db.execute(
                sql: "UPDATE reviewable_receipt SET issuers = ? WHERE receipt_id = ?",
                arguments: [issuers, receipt.number])
        } else {
            try db.execute(
                sql: "DELETE FROM reviewable_receipt WHERE receipt_id = ?", arguments: [receipt.number])
        }
    }

    /// Takes back what a receipt claimed under its former verdict. Others may
    /// claim the same: all that do are kept, and tell it again.
    private func withdrawClaim(of receipt: KeptReceipt) throws(MillError) {
        var others: [KeptReceipt] = []
        try write { db in
            try db.execute(
                sql: """
                    DELETE FROM claimed_purchase
                    WHERE app_id = ? AND transaction_id = ? AND verdict = ? AND kind = ?
                    """,
                arguments: [
                    receipt.app, receipt.transaction, receipt.verdict.rawValue,
                    ReceiptKind.transactionReceipt.rawValue,
                ])
            others = try Self.kept(
                db, "WHERE receipt.app_id = ? AND receipt_purchase.transaction_id = ? AND receipt.verdict = ?",
                [receipt.app, receipt.transaction, receipt.verdict.rawValue])
        }
        for other in others { try tell(other, try other.parsed(), as: other.verdict) }
    }

    private func tell(
        _ receipt: KeptReceipt, _ parsed: KeptReceipt.Parsed, as verdict: Verdict
    ) throws(MillError) {
        try write { _ in
            try parsed.octets.octets.withUnsafeBufferPointer { octets in
                try tell(
                    parsed.parts.purchase,
                    by: Teller(
                        kind: .transactionReceipt, digest: receipt.digest, number: receipt.number,
                        app: receipt.app, verdict: verdict, creationDate: nil),
                    octets)
            }
        }
    }

    private static func kept(
        _ db: Database, _ condition: String, _ arguments: [any DatabaseValueConvertible]
    ) throws -> [KeptReceipt] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT receipt_id, receipt.sha256, receipt.app_id, receipt.verdict, receipt_purchase.transaction_id,
                    reviewable.octets
                FROM reviewable_receipt AS reviewable
                JOIN receipt USING (receipt_id)
                JOIN receipt_purchase USING (receipt_id)
                \(condition)
                """,
            arguments: StatementArguments(arguments)
        ).map(KeptReceipt.init)
    }
}
