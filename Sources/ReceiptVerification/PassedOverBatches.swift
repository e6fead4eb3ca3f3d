package import ReceiptTrust

/// Verified batches that are not loaded, because the reading of their archive ended. They are kept as long as later
/// batches may need their documents, because a worker doesn't verify a document that an earlier batch has claimed.
///
/// The memory is bounded by the batches that were being processed when one was not loaded.
package struct PassedOverBatches {
    private var entries: [(batch: VerifiedBatch, last: Int)] = []

    package init() {}

    /// - Parameter last: the number of the last batch that may need the documents of `batch`.
    package mutating func append(_ batch: VerifiedBatch, neededUpTo last: Int) {
        if last > batch.sequence, !batch.receipts.isEmpty { entries.append((batch, last)) }
    }

    /// The batches whose documents the batch with this number may need.
    package mutating func lenders(to sequence: Int) -> [VerifiedBatch] {
        entries.removeAll { $0.last < sequence }
        return entries.map(\.batch)
    }
}

extension VerifiedBatch {
    /// The documents that have to be in the database before the batch is loaded, besides its own.
    package var receiptsOfOthers: Set<SHA256Digest> {
        var digests = Set(submissions.lazy.filter { $0.storedReceipt == nil }.map(\.receipt))
        for part in parts { digests.formUnion([part.holder, part.document]) }
        return digests
    }
}
