internal import ReceiptTrust
internal import ReceiptVerification

/// What a load did.
struct LoadCounts: Sendable {
    var lines = 0
    var submissions = 0
    var newReceipts = 0
    var newPurchases = 0
    var rejected: [RejectionReason: Int] = [:]
    /// Rejections that lines of a mended rejects file have cleared.
    var cleared = 0
    /// Lines of it that were settled before.
    var repeated = 0
    /// Lines of archives whose rejected lines are read again: those that were not.
    var passed = 0
    /// Receipts that are new, by verdict.
    var verdicts: [Verdict: Int] = [:]
}
