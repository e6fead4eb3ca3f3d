package import ReceiptTrust
package import ReceiptVerification

/// Counts of the lines, documents and purchases that a run has loaded.
package struct LoadCounts: Sendable, Hashable {
    package var lines = 0
    package var submissions = 0
    /// The number of documents that were parts of submitted ones.
    package var parts = 0
    /// The number of receipts that were not in the database before.
    package var newReceipts = 0
    package var newPurchases = 0
    /// Counts of rejected lines without any readable document, by the reason for their first document.
    package var rejected: [RejectionReason: Int] = [:]
    /// Counts of lines about purchases of other stores, by the reason that names the store. They don't count as
    /// rejected.
    package var ofOtherStores: [RejectionReason: Int] = [:]
    /// The number of lines in which an object states two accounts under different keys; only one of them is used.
    package var linesWithTwoAccounts = 0
    /// The numbers of submissions, of lines of archives, that name an account or a device, and that name neither.
    package var submissionsOfOwners = 0
    package var submissionsOfNobody = 0
    /// The number of lines with both readable and rejected documents.
    package var linesReadInPart = 0
    /// The number of rejected documents, in total and in lines that were partly read. A line without any document
    /// counts as one.
    package var rejectedDocuments = 0
    package var documentsRejectedInPart = 0
    /// The number of corrected lines that replaced rejected ones; ``lines`` includes them.
    package var correctionsApplied = 0
    /// Counts of new receipts, by verdict.
    package var verdicts: [Verdict: Int] = [:]

    package init() {}

    /// The number of documents, submitted or part of a submitted notification, that this load or an earlier one had
    /// already stored.
    package var knownReceipts: Int { submissions + parts - newReceipts }
    /// The number of rejected lines without any readable document.
    package var rejectedLines: Int { rejected.values.reduce(0, +) }
}
