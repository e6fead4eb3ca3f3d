internal import Foundation
package import MillSystem
package import ReceiptTrust

/// The documents that need not be verified: those that another worker has claimed, and those in the database.
///
/// Only the claims since the last commit are in memory; older documents are looked up in the database, so that memory
/// does not grow with the archive.
///
/// The object is safe to share between threads: every stored property is accessed only under `lock`. The lock is the
/// platform's, because the thread sanitizer doesn't recognise the ordering by a `Synchronization.Mutex`.
package final class KnownReceipts: @unchecked Sendable {
    /// The state of a document before the database is queried.
    package enum ClaimOutcome {
        /// The document is in no commit, and no batch has claimed it before. The calling batch claims it.
        case new
        /// The calling batch claims the document, unless the database contains it.
        case perhapsStored
        /// An earlier batch, or the calling one, has already claimed the document.
        case taken
    }

    private let lock = NSLock()
    /// The claimed receipts, with the number of the batch that verifies each.
    private var claimedReceipts = DigestTable()
    /// The claimed signed strings, with the number of the batch that verifies each.
    private var claimedStrings = DigestTable()
    /// Documents that an earlier batch claimed after a later one had, by the number of the later batch.
    private var overtaken: [Int: Set<DocumentKey>] = [:]
    /// The number of the last batch that has claimed any document.
    private var lastClaimer = -1
    /// The digests of committed documents; rarely, one is wrongly reported as committed. Nil if the database already
    /// had documents before the run, since these are not in the filter.
    private var committed: DigestFilter?

    /// - Parameter startedEmpty: whether the database had no documents when the run began, so that it contains only
    ///   those of this run.
    package init(startedEmpty: Bool) {
        if startedEmpty { committed = DigestFilter() }
    }

    /// Claims those `documents` that no earlier batch has claimed.
    ///
    /// A document that a *later* batch has claimed is verified again, because the calling batch is loaded first and
    /// needs the document then.
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

    /// - Returns: false if an earlier batch, or the calling one, has already claimed the document.
    private func claim(_ document: DocumentKey, _ claims: inout DigestTable, _ batch: Int) -> Bool {
        guard let index = claims.insert(document.digest, Int64(batch)) else { return true }
        let holder = claims.entries[index].number
        if holder <= batch { return false }
        overtaken[Int(holder), default: []].insert(document)
        claims.update(document.digest, to: Int64(batch))
        return true
    }

    /// The documents of a batch that an earlier batch, which is loaded first, has verified again. Called once for each
    /// batch, when all earlier batches are loaded.
    package func takeOvertaken(of batch: Int) -> Set<DocumentKey> {
        lock.withLock { overtaken.removeValue(forKey: batch) ?? [] }
    }

    /// Drops the claims of a batch that is not loaded, and returns the number of the last batch
    /// that may have relied on them.
    package func withdraw(_ batch: Int) -> Int {
        lock.withLock {
            claimedReceipts.removeAll { _, holder in holder == batch }
            claimedStrings.removeAll { _, holder in holder == batch }
            overtaken[batch] = nil
            return lastClaimer
        }
    }

    /// Drops the claims of all batches up to `batch`, whose documents are in the database by now.
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

/// Looks up documents that were loaded before.
package protocol ReceiptLookup {
    /// The id of each stored digest; nil for the others.
    func storedReceipts(_ digests: [SHA256Digest]) throws(MillError) -> [Int64?]
}
