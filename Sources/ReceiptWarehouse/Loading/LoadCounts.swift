package import ReceiptTrust
package import ReceiptVerification

/// Counts of the lines, documents and purchases that a run has loaded.
package struct LoadCounts: Sendable, Hashable {
    package var lines = 0
    package var submissions = 0
    /// Documents that were parts of submitted ones.
    package var parts = 0
    /// Receipts that the database did not hold before.
    package var newReceipts = 0
    package var newPurchases = 0
    /// Rejected lines without any readable document, by the reason of their first document.
    package var rejected: [RejectionReason: Int] = [:]
    /// Lines about purchases of other stores, by the store's reason. They are no rejected lines.
    package var ofOtherStores: [RejectionReason: Int] = [:]
    /// Lines in which an object states two accounts under different keys; one of them counts.
    package var linesWithTwoAccounts = 0
    /// Lines with both readable and rejected documents.
    package var linesReadInPart = 0
    /// Rejected documents, in all and in lines that were read in part. A line without any document counts as one.
    package var rejectedDocuments = 0
    package var documentsRejectedInPart = 0
    /// Corrected lines that replaced rejected ones; ``lines`` includes them.
    package var correctionsApplied = 0
    /// New receipts, by verdict.
    package var verdicts: [Verdict: Int] = [:]

    package init() {}

    /// Documents, submitted or held by a submitted notification, that were known from this load or before.
    package var knownReceipts: Int { submissions + parts - newReceipts }
    /// Rejected lines without any readable document.
    package var rejectedLines: Int { rejected.values.reduce(0, +) }
}
