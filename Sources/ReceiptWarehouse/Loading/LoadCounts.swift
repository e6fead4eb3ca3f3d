package import ReceiptTrust
package import ReceiptVerification

/// What a load did.
package struct LoadCounts: Sendable, Hashable {
    package var lines = 0
    package var submissions = 0
    /// Documents that submitted ones held.
    package var parts = 0
    /// Receipts seen for the first time.
    package var newReceipts = 0
    package var newPurchases = 0
    /// Lines of which nothing was read, by the reason of their first document.
    package var rejected: [RejectionReason: Int] = [:]
    /// Lines of which some documents were read and others not.
    package var linesReadInPart = 0
    /// Documents that can't be read, a line without any counting as one; and those of lines that
    /// were read in part.
    package var rejectedDocuments = 0
    package var documentsRejectedInPart = 0
    /// Of the lines, those that were applied in the place of rejected ones.
    package var correctionsApplied = 0
    /// Receipts that are new, by verdict.
    package var verdicts: [Verdict: Int] = [:]

    package init() {}
}
