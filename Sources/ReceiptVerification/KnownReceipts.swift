internal import Foundation
package import MillSystem
package import ReceiptTrust

/// The receipts that need no verifying: those that another worker has claimed,
/// and those in the database.
///
/// Holds only the claims since the last commit; older ones are looked up
/// in the database, so memory does not grow with the archive.
///
/// Safe to share between threads: every stored property is touched under `lock` alone. The lock is the platform's,
/// because the thread sanitizer doesn't see the order that a `Synchronization.Mutex` makes.
package final class KnownReceipts: @unchecked Sendable {
    /// What is known of a receipt before the database is asked.
    package enum ClaimOutcome {
        /// In no commit, and claimed by no batch before: this one claims it.
        case new
        /// This batch claims it, unless it is found in the database.
        case perhapsStored
        /// An earlier batch, or this one, has claimed it.
        case taken
    }

    private let lock = NSLock()
    /// Claimed receipts, with the batch that verifies each.
    private var claimedReceipts = DigestTable()
    /// Claimed signed strings, with the batch that verifies each.
    private var claimedStrings = DigestTable()
    /// Receipts that batches had claimed when an earlier one did, by those batches.
    private var overtaken: [Int: Set<DocumentKey>] = [:]
    /// The last batch that has claimed any.
    private var lastClaimer = -1
    /// Receipts that were committed, and now and then one that was not; nil where the
    /// database held others before, which this run doesn't know.
    private var committed: DigestFilter?

    /// - Parameter startedEmpty: the database held no receipt when the run
    ///   began, so that it holds none but those of this run.
    package init(startedEmpty: Bool) {
        if startedEmpty { committed = DigestFilter() }
    }

    /// Claims those of `documents` that no earlier batch has claimed.
    ///
    /// A receipt that a *later* batch has claimed is verified again: the loader takes
    /// this batch first and needs the receipt then.
    package func claim(_ documents: [DocumentKey], batch: Int) -> [ClaimOutcome] {
        lock.withLock {
            lastClaimer = max(lastClaimer, batch)
            return documents.map { document in
                let isClaimed =
                    document.isSignedData
                    ? claim(document, &claimedStrings, batch) : claim(document, &claimedReceipts, batch)
                guard isClaimed else { return .taken }
                return committed?.mayContain(document.digest) == false ? .new : .perhapsStored
            }
        }
    }

    /// - Returns: false where an earlier batch, or this one, has claimed it.
    private func claim(_ document: DocumentKey, _ claims: inout DigestTable, _ batch: Int) -> Bool {
        guard let index = claims.insert(document.digest, Int64(batch)) else { return true }
        let holder = claims.entries[index].number
        if holder <= batch { return false }
        overtaken[Int(holder), default: []].insert(document)
        claims.update(document.digest, to: Int64(batch))
        return true
    }

    /// The receipts that a batch has verified and an earlier one has verified again, which
    /// is loaded before it. Asked once, when all earlier batches are loaded.
    package func takeOvertaken(of batch: Int) -> Set<DocumentKey> {
        lock.withLock { overtaken.removeValue(forKey: batch) ?? [] }
    }

    /// Drops the claims of a batch that is not loaded. Batches up to the one that is returned may
    /// have left receipts to it.
    package func withdraw(_ batch: Int) -> Int {
        lock.withLock {
            claimedReceipts.removeAll { _, holder in holder == batch }
            claimedStrings.removeAll { _, holder in holder == batch }
            overtaken[batch] = nil
            return lastClaimer
        }
    }

    /// Drops the claims of batches up to `batch`: their receipts are in the database now.
    package func forget(upTo batch: Int) {
        lock.withLock {
            forget(&claimedReceipts, upTo: batch)
            forget(&claimedStrings, upTo: batch)
        }
    }

    private func forget(_ claims: inout DigestTable, upTo batch: Int) {
        if committed != nil {
            for (digest, holder) in claims.entries where holder <= batch { committed?.insert(digest) }
        }
        claims.removeAll { _, holder in holder <= batch }
    }
}

/// Finds receipts that were loaded before.
package protocol ReceiptLookup {
    /// The ids of those of `digests` that are stored, nil for the others.
    func storedReceipts(_ digests: [SHA256Digest]) throws(MillError) -> [Int64?]
}
