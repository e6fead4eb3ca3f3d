internal import ReceiptTrust

/// The merge rule: among the documents that state a purchase, or a term of one, the last created counts; among those
/// created at the same time, the one with the largest SHA-256. So the result does not depend on the order of the
/// documents.
///
/// Loading, regrading and retracting use this rule. Erasing (`sql/care/choose_outdated.sql`, `keep_terms.sql`), the
/// lakes (`sql/lake`, `python/receiptmill/lake`) and the checks (`sql/checks/purchase_outdated.sql`,
/// `terms_outdated.sql`) repeat the rule in SQL, and tests compare their results with the database's.
package enum MergeRule {
    /// Whether one document overrules another. Digests are evaluated only if the times are equal.
    @inline(__always)
    static func overrules(
        _ time: Int64, _ digest: @autoclosure () -> SHA256Digest,
        over otherTime: Int64, _ otherDigest: @autoclosure () -> SHA256Digest
    ) -> Bool {
        time != otherTime ? time > otherTime : digest() > otherDigest()
    }

    /// The condition under which an upsert's row overrules the table's row; both have `as_of` and `receipt_id`.
    static func excludedOverrules(_ table: String) -> String {
        """
        excluded.as_of > as_of
            OR (excluded.as_of = as_of AND excluded.receipt_id <> \(table).receipt_id
                AND (SELECT sha256 FROM receipt WHERE receipt_id = excluded.receipt_id)
                    > (SELECT sha256 FROM receipt WHERE receipt_id = \(table).receipt_id))
        """
    }
}
