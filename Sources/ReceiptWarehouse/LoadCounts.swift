package import ReceiptTrust
package import ReceiptVerification

/// What a load did.
package struct LoadCounts: Sendable, Hashable {
    package var lines = 0
    package var submissions = 0
    /// Receipts seen for the first time.
    package var newReceipts = 0
    package var newPurchases = 0
    package var rejected: [RejectionReason: Int] = [:]
    /// Of the lines, those that were loaded in the place of rejected ones.
    package var correctionsApplied = 0
    /// Receipts that are new, by verdict.
    package var verdicts: [Verdict: Int] = [:]

    package init() {}
}
