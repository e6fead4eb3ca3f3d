package import GRDB
package import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification

/// The writer that loading, correcting, replacing and reviewing share. It collects rows and purchases in one
/// transaction, which is committed together with the run's progress.
///
/// A transaction contains a window of lines, so that a killed run has loaded whole windows and the next run continues
/// after them.
package final class WarehouseWriter {
    package let warehouse: Warehouse
    /// The number of threads, including the loader's.
    let workers: Int
    private let transaction: LoadTransaction
    private var window: LoadWindow
    var rows: BatchWriter
    var purchases: PurchaseMerger
    package internal(set) var progress: LoadProgress
    /// Whether a full window is committed. A load that may still be refused delays its first commit.
    package var mayCommit = true

    /// The number of lines in one transaction. Each commit writes every page in which a key was inserted, so larger
    /// windows write less in total, but need more memory.
    package static let defaultWindowSize = 60_000

    /// - Parameters:
    ///   - knownIssuers: the number of issuers that the workers know.
    ///   - known: the receipts that workers have claimed, to verify each only once; nil if all receipts come from the
    ///     database.
    ///   - keepsReceipts: whether new receipts are stored whole.
    ///   - record: the run's row, which each commit updates.
    package init(
        _ warehouse: Warehouse, knownIssuers: Int = 0, known: KnownReceipts?, workers: Int = 1,
        keepsReceipts: Bool = false, record: RunRecord? = nil, windowSize: Int = defaultWindowSize
    ) throws(MillError) {
        (self.warehouse, self.workers) = (warehouse, workers)
        transaction = LoadTransaction(warehouse)
        window = LoadWindow(size: windowSize)
        (rows, purchases) = try warehouse.access { db in
            (
                try BatchWriter(db, knownIssuers: knownIssuers, known: known, keepsReceipts: keepsReceipts),
                try PurchaseMerger(db, windowSize: windowSize)
            )
        }
        progress = LoadProgress(firstReceipt: rows.receipts.next)
        progress.record = record
    }

    package var counts: LoadCounts { progress.counts }
    var windowSize: Int { window.size }

    /// The maximum duration of a transaction, however long its lines are, and so the most work that a killed run loses.
    package var maximumWindowDuration: Duration {
        get { window.maximumDuration }
        set { window.maximumDuration = newValue }
    }

    /// Whether a receipt is stored, committed or not.
    package func holds(_ receipt: SHA256Digest) throws(MillError) -> Bool {
        var id: Int64?
        try transaction.write { _ in id = try rows.receipts.find(receipt) }
        return id != nil
    }

    // MARK: Transactions

    /// Does work within the transaction that does not change the sources of models.
    func write(_ work: (Database) throws -> Void) throws(MillError) { try transaction.write(work) }

    /// Does work within the transaction that may change the sources of models, and so invalidates the models.
    ///
    /// - Parameter reason: why the models have to be computed from all rows; nil if rows are only added.
    package func change(
        wholeBecause reason: WholeRefresh? = nil, _ work: (Database) throws -> Void
    ) throws(MillError) {
        try transaction.change(wholeBecause: reason, work)
    }

    /// Counts written lines, and commits when the window is full.
    ///
    /// - Parameters:
    ///   - lines: the number of written lines.
    ///   - linesAhead: the approximate number of lines that follow.
    ///   - batch: the number of the written batch.
    func advance(_ lines: Int, linesAhead: Int = .max, batch: Int) throws(MillError) {
        window.add(lines, batch: batch)
        try transaction.write { _ in
            progress.counts.newPurchases +=
                try purchases.advance(lines, linesAhead: linesAhead, isShared: workers > 1) ?? 0
        }
        guard window.isFull || purchases.isFull else { return }
        if mayCommit { try commit() } else { try transaction.write { _ in try writePurchasesIfFull() } }
    }

    /// Writes the window's links, keys and purchases and the run's progress, and commits.
    package func commit() throws(MillError) {
        let isDone = try transaction.commit { db in
            try rows.finishWindow()
            progress.counts.newPurchases += try purchases.writeAll()
            try progress.save(db)
        }
        guard isDone else { return }
        rows.forgetClaims(upTo: window.lastBatch)
        window.begin()
    }

    /// Rolls back to the last commit.
    package func rollBack() throws(MillError) { try transaction.rollBack() }

    /// Does long work and commits it. A cancelled run rolls back the work, and the next run does it again.
    func commitUnlessStopped(
        _ stop: CancellationFlag, _ work: () throws(MillError) -> Void
    ) throws(MillError) {
        try commit()
        guard !stop.isCancelled else { return }
        let committed = progress
        do throws(MillError) {
            try stop.interrupting([warehouse.queue]) { () throws(MillError) in
                try work()
                try commit()
            }
        } catch {
            guard stop.explains(error) else { throw error }
            try rollBack()
            progress = committed
        }
    }

    /// Builds the indices that a first load lacks.
    package func buildIndices(stop: CancellationFlag = CancellationFlag()) throws(MillError) {
        try commitUnlessStopped(stop) { () throws(MillError) in
            try warehouse.access { db in try Schema.buildIndices(db, workers: workers) }
        }
    }

    // MARK: Stored receipts

    /// Merges the purchases that a stored receipt states, under the given verdict; the commit writes them.
    package func merge(_ batch: VerifiedBatch, ofStored receipt: Int64, app: Int64, _ verdict: Verdict)
        throws(MillError)
    {
        try transaction.change { _ in
            try rows.merge(batch, ofStored: receipt, app: app, verdict, into: &purchases)
            try writePurchasesIfFull()
        }
    }

    /// Writes purchases before the commit if they take too much memory.
    func writePurchasesIfFull() throws(MillError) {
        if purchases.isFull { progress.counts.newPurchases += try purchases.writeAll() }
    }
}
