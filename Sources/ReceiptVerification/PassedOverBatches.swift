package import ReceiptTrust

/// Verified batches that are not loaded, because their archive is not read on, for as long as
/// later ones may need their receipts: a worker doesn't verify what an earlier batch has claimed.
///
/// Memory is bounded: by the batches that were in flight when one was passed over.
package struct PassedOverBatches {
    private var entries: [(batch: VerifiedBatch, last: Int)] = []

    package init() {}

    /// - Parameter last: the last batch that may need its receipts.
    package mutating func append(_ batch: VerifiedBatch, neededUpTo last: Int) {
        if last > batch.sequence, !batch.receipts.isEmpty { entries.append((batch, last)) }
    }

    /// The batches that the one with this number may need.
    package mutating func lenders(to sequence: Int) -> [VerifiedBatch] {
        entries.removeAll { $0.last < sequence }
        return entries.map(\.batch)
    }
}

extension VerifiedBatch {
    /// Receipts that have to be stored when the batch is, beside its own.
    package var receiptsOfOthers: Set<SHA256Digest> {
        var digests = Set(submissions.lazy.filter { $0.storedReceipt == nil }.map(\.receipt))
        for part in parts { digests.formUnion([part.holder, part.document]) }
        return digests
    }
}
