package import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptArchive
package import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification

/// Loads verified batches, in the order of the archives' lines.
///
/// Rows wait in one transaction with the archive's progress until a window is full: a run
/// that is killed has loaded whole windows, and knows how far. ``BatchWriter`` writes rows,
/// ``PurchaseMerger`` merges purchases, ``LoadProgress`` counts, ``LoadTransaction`` commits.
package final class Loader {
    package let database: Warehouse
    private let transaction: LoadTransaction
    private var writer: BatchWriter
    private var merger: PurchaseMerger
    package private(set) var progress: LoadProgress
    private let known: KnownReceipts?
    private let windowSize: Int
    private var windowLines = 0
    /// How long a transaction lasts at most, whatever the archives' shape: as much work is lost when a
    /// run is killed.
    package var greatestWindowDuration = Duration.seconds(30)
    /// When the first lines of the window were loaded.
    private var windowStart: ContinuousClock.Instant?
    private var lastBatch = -1
    private var folder = RealFolder()
    /// Keeps rejected lines; nil where that is not asked for.
    private let deadLetters: DeadLetterStore?
    /// Threads that work, this one among them.
    package let workers: Int

    /// Lines of one transaction: each commit writes every page that its keys
    /// touched, so fewer commits write less; more would hold more in memory.
    package static let defaultWindowSize = 60_000

    /// - Parameters:
    ///   - known: what the workers share; nil where every receipt is one that is stored.
    ///   - keepsReceipts: whether new receipts are stored whole.
    ///   - deadLetters: keeps rejected lines; nil where that is not asked for.
    ///   - record: the run's row, which each commit brings up to date.
    package init(
        _ database: Warehouse, knownIssuers: Int = 0, known: KnownReceipts?, workers: Int = 1,
        keepsReceipts: Bool = false, deadLetters: DeadLetterStore? = nil, record: RunRecord? = nil,
        windowSize: Int = Loader.defaultWindowSize
    ) throws(MillError) {
        self.database = database
        self.known = known
        self.workers = workers
        self.deadLetters = deadLetters
        self.windowSize = windowSize
        transaction = LoadTransaction(database)
        writer = try BatchWriter(database, knownIssuers: knownIssuers, known: known)
        merger = try database.access { db in try PurchaseMerger(db, windowSize: windowSize) }
        progress = LoadProgress(firstReceipt: writer.nextReceipt)
        progress.record = record
        if keepsReceipts { writer.rawReceipts = try database.access { db in try RawReceiptStore(db) } }
    }

    package var counts: LoadCounts { progress.counts }
    package var keepsRejectedLines: Bool { deadLetters != nil }
    /// Rejected lines that were not kept: too long to be read, or beyond the capacity.
    package var rejectionsNotKept: Int { deadLetters?.notKept ?? 0 }

    // MARK: Archives

    /// Begins an archive, or goes on with it where an earlier run stopped.
    ///
    /// - Parameter prefix: the content that an earlier run has loaded, and to which the rest
    ///   of this one was appended.
    /// - Throws: ``MillError`` where the database can number no further archive; those before it
    ///   stay loaded.
    package func begin(_ archive: ArchiveID, appendedTo prefix: SHA256Digest? = nil) throws(MillError) {
        try transaction.write { db in try progress.begin(archive, appendedTo: prefix, db) }
        guard let id = progress.archive?.id, id > LineNumber.greatestArchive else { return }
        try transaction.write { try progress.takeBack($0) }
        try commit()
        throw MillError(
            stage: .loading, path: database.path,
            what: "the database has numbers for \(LineNumber.greatestArchive) archives, and no more are left",
            hint: "load further archives into a new database, many small ones joined to one (cat)",
            exitStatus: .cannotCreate)
    }

    /// Records where an archive lies that was begun, or is known.
    package func record(_ fingerprint: ArchiveFingerprint, at path: String) throws(MillError) {
        guard fingerprint.name != "-" else { return }
        let folder = folder.of(path)
        try transaction.write { db in try ArchiveStore.record(fingerprint, in: folder, at: LoadProgress.now, db) }
    }

    /// Lines of the archive at hand that are processed; nil between two archives.
    package var processedLines: Int64? { progress.archive?.lines }

    /// Ends an archive; one that was damaged stays incomplete.
    package func end(isComplete: Bool) throws(MillError) {
        guard progress.archive != nil else { return }
        try transaction.write { db in try progress.end(isComplete: isComplete, db) }
    }

    // MARK: Batches

    /// Adds issuers that were met.
    package func learn(_ issuers: IssuerCertificates) throws(MillError) {
        guard issuers.count > 0 else { return }
        try transaction.write { db in try DocumentStore.insert(issuers, db) }
    }

    /// Passes over a batch of an archive that is not read on: nothing of its lines is loaded. What
    /// workers have not verified again because of it is kept for them.
    package func passOver(_ batch: VerifiedBatch) throws(MillError) {
        try learn(batch.issuers)
        guard let known else { return }
        writer.passedOver.append(batch, neededUpTo: known.withdraw(batch.sequence))
    }

    /// Writes a batch's rows, and commits when the window is full.
    ///
    /// - Parameter linesAhead: how many lines are still to come, about; nil where it is not known.
    package func load(_ batch: VerifiedBatch, linesAhead: Int? = nil) throws(MillError) {
        guard var archive = progress.archive else {
            throw MillError(
                stage: .loading, what: "\(batch.lineCount) lines are of no archive", exitStatus: .internalFault)
        }
        try transaction.change { db in
            try writer.write(batch, merging: &merger, counting: &progress.counts, db) { submission, _ in
                LineNumber.id(ofDocument: submission.document, in: archive.lineID(index: submission.line))
            }
            let loaded = batch.rejections.isEmpty ? [] : Set(batch.submissions.map(\.line))
            var last = -1
            for rejection in batch.rejections.sorted(by: { ($0.line, $0.document) < ($1.line, $1.document) }) {
                try writer.write(rejection, archive: archive.id, line: archive.lines + Int64(rejection.line) + 1)
                // Such a line is dismissed, and nobody's to correct: neither a limit nor an alarm counts it.
                if rejection.isErased { continue }
                let documents = 1 + rejection.furtherDocuments
                archive.rejectedDocuments += Int64(documents)
                progress.counts.rejectedDocuments += documents
                if loaded.contains(rejection.line) { progress.counts.documentsRejectedInPart += documents }
                guard rejection.line != last else { continue }
                last = rejection.line
                try deadLetters?.keep(rejection.content, as: archive.lineID(index: rejection.line))
                if loaded.contains(rejection.line) {
                    progress.counts.linesReadInPart += 1
                } else {
                    progress.counts.rejected[rejection.cause.reason, default: 0] += 1
                }
            }
        }
        archive.lines += Int64(batch.lineCount)
        archive.loadedLines += Int64(batch.loadedLineCount)
        archive.loadedDocuments += Int64(batch.submissions.count)
        progress.archive = archive
        progress.counts.lines += batch.lineCount
        lastBatch = batch.sequence
        try advance(batch.lineCount, linesAhead: linesAhead ?? .max)
    }

    /// Writes a batch of lines that stand in the place of rejected ones, between two archives.
    ///
    /// A document that is a submission of its line already stays as it is; another becomes one.
    /// What the line's documents now come to takes the place of its open rejections. A line of
    /// which no document can be read changes nothing.
    ///
    /// - Parameter ids: of the lines.
    /// - Returns: the number of lines that were applied: of which a document is a submission
    ///   now, or all can be read.
    package func correct(_ batch: VerifiedBatch, as ids: [Int64]) throws(MillError) -> Int {
        var (read, applied) = (0, 0)
        try transaction.change { db in
            var lines: [Int: CorrectedLine] = [:]
            for submission in batch.submissions where lines[submission.line] == nil {
                lines[submission.line] = try CorrectedLine(ids[submission.line], db)
            }
            try writer.write(batch, merging: &merger, counting: &progress.counts, db) { submission, receipt in
                lines[submission.line]?.submit(receipt, as: submission.document)
            }
            for (index, line) in lines {
                let faults = batch.rejections.filter { $0.line == index }
                try line.replaceRejections(by: faults, db)
                if !line.wasLoaded { try ArchiveStore.countLoaded(ids[index], db) }
                read += 1
                if line.isLoaded || faults.isEmpty { applied += 1 }
            }
        }
        progress.counts.lines += read
        progress.counts.correctionsApplied += applied
        lastBatch = batch.sequence
        try advance(read, linesAhead: .max)
        return applied
    }

    /// Commits when the window is full.
    private func advance(_ lines: Int, linesAhead: Int) throws(MillError) {
        windowLines += lines
        let start = windowStart ?? .now
        windowStart = start
        try transaction.write { _ in
            progress.counts.newPurchases +=
                try merger.advance(lines, linesAhead: linesAhead, isShared: workers > 1) ?? 0
        }
        if windowLines >= windowSize || merger.isFull || .now - start >= greatestWindowDuration { try commit() }
    }

    /// Whether a receipt is stored, committed or not.
    package func holds(_ receipt: SHA256Digest) throws(MillError) -> Bool {
        var id: Int64?
        try transaction.write { _ in id = try writer.find(receipt) }
        return id != nil
    }

    // MARK: Stored receipts

    /// Deletes what all receipts state, and every key by which receipts are found, so that
    /// each can be replaced.
    package func beginReplacing() throws(MillError) {
        try transaction.change { db in
            for table in [
                "purchase", "claimed_purchase", "purchase_terms", "receipt_purchase", "reviewable_receipt",
                "receipt_digest", "receipt_lineage", "revocation", "renewal", "notification", "app_transaction",
            ] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
        }
    }

    /// Writes a stored receipt and what it states anew, under the identifier that it
    /// has, within the transaction of ``beginReplacing()``. All are written so, in the order
    /// of their identifiers.
    package func replace(_ receipt: Int64, with batch: VerifiedBatch) throws(MillError) {
        try transaction.change { db in
            try writer.replace(receipt, with: batch, merging: &merger, counting: &progress.counts, db)
            // All are one transaction, and memory is not to grow with it.
            if writer.uncommitted.entries.count >= windowSize { try writer.insertKeys() }
            if merger.isFull { progress.counts.newPurchases += try merger.writeAll() }
        }
    }

    /// Merges and writes a purchase that a stored receipt states.
    package func merge(
        _ purchase: InAppPurchase, by source: PurchaseSource, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(MillError) {
        try transaction.change { _ in
            try writer.merge(purchase, by: source, bytes, into: &merger)
            progress.counts.newPurchases += try merger.writeAll()
        }
    }

    /// Merges what a stored receipt states of its purchases, under the verdict that it has; they are
    /// written with the commit.
    package func merge(_ batch: VerifiedBatch, ofStored receipt: Int64, app: Int64, _ verdict: Verdict)
        throws(MillError)
    {
        try transaction.change { _ in
            try writer.merge(batch, ofStored: receipt, app: app, verdict, into: &merger)
            if merger.isFull { progress.counts.newPurchases += try merger.writeAll() }
        }
    }

    /// Counts a receipt of this run under its new verdict.
    func recount(_ receipt: Int64, from former: Verdict, to verdict: Verdict) {
        progress.recount(receipt, from: former, to: verdict)
    }

    // MARK: Transactions

    /// Does work of one's own within the transaction, which may change anything.
    package func write(_ work: (Database) throws -> Void) throws(MillError) { try transaction.change(work) }

    /// Writes the window's links, keys and purchases and the archive's progress, and commits.
    package func commit() throws(MillError) {
        let isDone = try transaction.commit { db in
            try writer.finishWindow()
            progress.counts.newPurchases += try merger.writeAll()
            try progress.save(db)
        }
        guard isDone else { return }
        (windowLines, windowStart) = (0, nil)
        known?.forget(upTo: lastBatch)
    }

    /// Takes back what was done since the last commit.
    package func rollBack() throws(MillError) { try transaction.rollBack() }

    /// Ends a run's load: commits it, reviews transaction receipts, and builds the indices that are
    /// missing.
    ///
    /// Reviews and indices can take long. A run that is cancelled rolls them
    /// back, and the next run does them.
    package func finish(anchors: TrustAnchors, stop: CancellationFlag = CancellationFlag()) throws(MillError) {
        try commit()
        guard !stop.isCancelled else { return }
        let committed = progress
        do throws(MillError) {
            try stop.interrupting([database.queue]) { () throws(MillError) in
                try TransactionReceiptReview(self).run(anchors: anchors)
                try commit()
                try database.access { db in
                    try Schema.buildIndices(db, workers: workers)
                }
            }
        } catch {
            guard stop.explains(error) else { throw error }
            try transaction.rollBack()
            progress = committed
        }
    }
}
