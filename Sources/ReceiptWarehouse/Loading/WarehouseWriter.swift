package import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification

/// What loading, correcting, replacing and reviewing write with: rows and purchases wait in one transaction, which is
/// committed together with how far the run has come.
///
/// A transaction holds a window of lines: a run that is killed has loaded whole windows, and knows how far.
package final class WarehouseWriter {
    package let warehouse: Warehouse
    /// Threads that work, this one among them.
    let workers: Int
    private let transaction: LoadTransaction
    private var window: LoadWindow
    var rows: BatchWriter
    var purchases: PurchaseMerger
    package internal(set) var progress: LoadProgress

    /// Lines of one transaction: each commit writes every page that its keys
    /// touched, so fewer commits write less; more would hold more in memory.
    package static let defaultWindowSize = 60_000

    /// - Parameters:
    ///   - knownIssuers: how many issuers the workers know.
    ///   - known: what the workers share; nil where every receipt is one that is stored.
    ///   - keepsReceipts: whether new receipts are stored whole.
    ///   - record: the run's row, which each commit brings up to date.
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

    /// How long a transaction lasts at most, whatever the archives' shape: as much work is lost when a
    /// run is killed.
    package var greatestWindowDuration: Duration {
        get { window.greatestDuration }
        set { window.greatestDuration = newValue }
    }

    /// Whether a receipt is stored, committed or not.
    package func holds(_ receipt: SHA256Digest) throws(MillError) -> Bool {
        var id: Int64?
        try transaction.write { _ in id = try rows.receipts.find(receipt) }
        return id != nil
    }

    // MARK: Transactions

    /// Does work within the transaction that models are not worked out of.
    func write(_ work: (Database) throws -> Void) throws(MillError) { try transaction.write(work) }

    /// Does work within the transaction, which may change anything.
    package func change(_ work: (Database) throws -> Void) throws(MillError) { try transaction.change(work) }

    /// Commits when the window is full.
    ///
    /// - Parameters:
    ///   - lines: that were written.
    ///   - linesAhead: how many lines are still to come, about.
    ///   - batch: the one that was written.
    func advance(_ lines: Int, linesAhead: Int = .max, batch: Int) throws(MillError) {
        window.add(lines, batch: batch)
        try transaction.write { _ in
            progress.counts.newPurchases +=
                try purchases.advance(lines, linesAhead: linesAhead, isShared: workers > 1) ?? 0
        }
        if window.isFull || purchases.isFull { try commit() }
    }

    /// Writes the window's links, keys and purchases and the archive's progress, and commits.
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

    /// Takes back what was done since the last commit.
    package func rollBack() throws(MillError) { try transaction.rollBack() }

    /// Does work that can take long, and commits it. A run that is cancelled takes the work back, and the next run does
    /// it.
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

    // MARK: Receipts that are stored

    /// Merges what a stored receipt states of its purchases, under the verdict that it has; they are
    /// written with the commit.
    package func merge(_ batch: VerifiedBatch, ofStored receipt: Int64, app: Int64, _ verdict: Verdict)
        throws(MillError)
    {
        try transaction.change { _ in
            try rows.merge(batch, ofStored: receipt, app: app, verdict, into: &purchases)
            try writePurchasesIfFull()
        }
    }

    /// Writes purchases where they would take too much memory before the commit.
    func writePurchasesIfFull() throws(MillError) {
        if purchases.isFull { progress.counts.newPurchases += try purchases.writeAll() }
    }
}
