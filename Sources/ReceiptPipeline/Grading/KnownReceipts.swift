internal import ReceiptTrust
internal import Synchronization

/// The receipts that need no grading: those that another worker has taken on,
/// and those in the database.
///
/// Holds only what was taken on since the last commit; older ones are looked up
/// in the database, so memory does not grow with the archive.
final class KnownReceipts: Sendable {
    /// Receipts taken on, with the batch that grades each.
    private let claims = Mutex<[SHA256Digest: Int]>([:])

    /// Takes on those of `digests` that no earlier batch has taken on.
    ///
    /// A receipt that a *later* batch took on is graded again: the loader meets
    /// this batch first and needs the receipt then.
    ///
    /// - Returns: for each digest, whether this batch is to grade it.
    func claim(_ digests: [SHA256Digest], batch: Int) -> [Bool] {
        claims.withLock { claims in
            digests.map { digest in
                if let holder = claims[digest], holder <= batch { return false }
                claims[digest] = batch
                return true
            }
        }
    }

    /// Forgets what batches up to `batch` took on: it is in the database now.
    func forget(upTo batch: Int) {
        claims.withLock { claims in
            claims = claims.filter { $0.value > batch }
        }
    }
}

/// Where a worker looks receipts up that were loaded before.
protocol ReceiptLookup {
    /// The numbers of those of `digests` that are stored, nil for the others.
    func storedReceipts(_ digests: [SHA256Digest]) throws(MillError) -> [Int64?]
}
