internal import ReceiptTrust

/// What a load did.
struct LoadCounts: Sendable {
    var lines = 0
    var submissions = 0
    var newReceipts = 0
    var newPurchases = 0
    var rejected: [RejectionReason: Int] = [:]
    /// Of the lines, those that were loaded in the place of rejected ones.
    var corrected = 0
    /// Receipts that are new, by verdict.
    var verdicts: [Verdict: Int] = [:]
}
