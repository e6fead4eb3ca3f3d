internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Writes verified batches, in the order of the archives' lines.
///
/// Rows wait in one transaction with the archive's progress until a window is
/// full: a run that is killed has loaded whole windows, and knows how far.
final class Loader {
    let loadDatabase: LoadDatabase
    private var rows: Rows
    private var catalog: Catalog
    private var purchases: Purchases
    /// Apps of the receipts of the batch at hand.
    private var apps: [Int64] = []
    /// Issuers that the workers of this run know.
    private let knownIssuers: Int
    /// Number of the first receipt of this run.
    private let firstReceipt: Int64
    /// Numbers of the receipts that were written since the last commit. Nothing else
    /// finds them before the next, which writes their keys.
    private var uncommitted = DigestTable()
    private var nextReceipt: Int64
    private var isInTransaction = false
    private var windowLines = 0
    /// Lines whose purchases are not written nor being written.
    private var gatheredLines = 0
    /// Purchases to be written for each line that is loaded, while some are unwritten.
    private var partSize = 0
    var archive: LoadingArchive?
    private let findReceipt: LoaderStatement
    private let windowSize: Int
    /// What the workers share; nil where every receipt is one that is stored.
    private let known: KnownReceipts?
    var counts = LoadCounts()
    /// The run's row, which each commit brings up to date.
    var record: RunRecord?
    /// Keeps new receipts whole; nil where nobody wants them.
    var rawReceipts: RawReceiptStore?
    /// Threads that work, this one among them.
    var workers = 1
    private var lastBatch = -1

    /// Lines of one transaction: each commit writes every page that its keys
    /// touched, so fewer commits write less; more would hold more in memory.
    static let defaultWindowSize = 60_000

    init(
        _ loadDatabase: LoadDatabase, knownIssuers: Int = 0, known: KnownReceipts?,
        windowSize: Int = Loader.defaultWindowSize
    ) throws(MillError) {
        self.loadDatabase = loadDatabase
        self.knownIssuers = knownIssuers
        self.windowSize = windowSize
        self.known = known
        (rows, purchases, catalog, findReceipt, nextReceipt) = try loadDatabase.access { db in
            try RowBuffer.register(db)
            return (
                try Rows(db, tags: IdentifierTags(db), sortsLinks: Schema.hasIndices(db)), try Purchases(db),
                try Catalog(db),
                try LoaderStatement(db, StoredReceiptLookup.query),
                (try Int64.fetchOne(db, sql: "SELECT max(receipt_id) FROM receipt") ?? 0) + 1
            )
        }
        firstReceipt = nextReceipt
    }

    // MARK: Batches

    /// Adds issuers that were met.
    func learn(_ issuers: IssuerCertificates) throws(MillError) {
        guard issuers.count > 0 else { return }
        try write { db in try loadDatabase.insert(issuers, db) }
    }

    /// Writes a batch's rows, and commits when the window is full.
    ///
    /// - Parameters:
    ///   - numbers: of its lines, where they are not those that follow.
    ///   - linesAhead: how many are still to come, about; nil where nobody knows.
    func load(_ batch: VerifiedBatch, lines numbers: [Int64]? = nil, linesAhead: Int? = nil) throws(MillError) {
        guard var archive else { return }
        archive.numbers = numbers
        try write { db in
            try loadDatabase.insert(batch.issuers, db)
            try batch.octets.withUnsafeBufferPointer { octets in
                try load(batch.receipts, of: batch, octets)
                for submission in batch.submissions {
                    let number = try number(of: submission)
                    if try settle(submission, receipt: number, of: archive, octets, db) { continue }
                    rows.put(
                        submission, number: archive.submissionNumber(line: submission.line), receipt: number, in: octets
                    )
                    archive.loadedLines += 1
                    counts.submissions += 1
                }
            }
            try rows.insertBatch()
            for rejection in batch.rejections { try settle(rejection, of: &archive, db) }
        }
        archive.lines = numbers?.last.map { max(archive.lines, $0) } ?? archive.lines + Int64(batch.lineCount)
        archive.linesRead += batch.lineCount
        self.archive = archive
        counts.lines += batch.lineCount
        lastBatch = batch.sequence
        try advance(batch.lineCount, linesAhead: linesAhead ?? .max)
    }

    /// Commits when the window is full.
    ///
    /// With several workers, the purchases that were gathered are written part by part
    /// while a quarter as many lines are loaded as told of them: the others would wait
    /// while the commit writes them all. That begins so that it ends with the window,
    /// or with the lines, where it is known about how many are still to come.
    private func advance(_ lines: Int, linesAhead: Int) throws(MillError) {
        windowLines += lines
        gatheredLines += lines
        if purchases.unwritten > 0 {
            try write { _ in counts.newPurchases += try purchases.writePart(partSize * lines) }
        } else if workers > 1, gatheredLines >= max(min(windowSize / 5, linesAhead) * 4, windowSize / 16) {
            purchases.beginWriting()
            partSize = 4 * purchases.unwritten / max(gatheredLines, 1) + 1
            gatheredLines = 0
        }
        if windowLines >= windowSize || purchases.isFull { try commit() }
    }

    private func settle(_ rejection: Rejection, of archive: inout LoadingArchive, _ db: Database) throws {
        let line = archive.line(rejection.line)
        if archive.isReadAgain, line <= archive.lines, archive.origins?[line] == nil {
            if try LoadDatabase.restate(rejection, line: line, archive: archive.number, db) {
                counts.rejected[rejection.cause.reason, default: 0] += 1
            }
            return
        }
        if let origin = archive.origins?[line] {
            var unmended: Int64?
            if case .rejection(let number, _, isChanged: true) = origin {
                unmended = number
                archive.count(unmended: line, rejection.cause)
            }
            try LoadDatabase.repeatLine(line, archive: archive.number, unmended: unmended, db)
            counts.repeated += 1
            return
        }
        try rows.insert(rejection, archive: archive.number, line: line)
        if let octets = rejection.octets {
            try LoadDatabase.keep(octets, archive: archive.number, line: line, db)
        }
        counts.rejected[rejection.cause.reason, default: 0] += 1
    }

    private func load(
        _ receipts: [VerifiedReceipt], of batch: VerifiedBatch, _ octets: UnsafeBufferPointer<UInt8>
    ) throws(MillError) {
        let first = nextReceipt
        // Two workers have verified these; the first to come was loaded.
        let loaded = known?.takeOvertaken(of: batch.sequence) ?? []
        let receipts = loaded.isEmpty ? receipts : receipts.filter { !loaded.contains($0.digest) }
        for receipt in receipts {
            let references = try references(of: receipt, octets)
            apps.append(references.app)
            rows.put(receipt, number: nextReceipt, references, in: octets)
            nextReceipt += 1
        }
        defer { apps.removeAll(keepingCapacity: true) }
        try rows.insertReceipts()
        for (place, receipt) in receipts.enumerated() {
            let number = first + Int64(place)
            uncommitted.update(receipt.digest, to: number)
            counts.newReceipts += 1
            counts.verdicts[receipt.verification.verdict, default: 0] += 1
            let source = PurchaseSource(
                kind: receipt.kind, digest: receipt.digest, number: number, app: apps[place],
                verdict: receipt.verification.verdict, creationDate: receipt.app.receiptCreationDate)
            try purchases.tell(batch.purchases[receipt.purchases], by: source, octets, &catalog) { transaction, texts in
                rows.putLink(receipt: number, transaction: transaction, texts: texts)
            }
            if let whole = octets.part(receipt.reviewable) {
                try rows.insertReviewable(receipt: number, octets: whole, issuers: knownIssuers)
            }
            if let rawReceipts {
                guard let whole = octets.part(receipt.whole) else {
                    throw Self.fault("receipt \(receipt.digest.hex) is to be kept, and its bytes are not there")
                }
                try rawReceipts.keep(whole, of: number)
            }
        }
    }

    /// Writes a stored receipt and what it tells anew, under the number that it
    /// has, within the transaction that took back all keys and what receipts told.
    /// All are written so, in the order of their numbers.
    func replace(_ number: Int64, with batch: VerifiedBatch) throws(MillError) {
        try write { db in
            try loadDatabase.insert(batch.issuers, db)
            try db.execute(sql: "DELETE FROM receipt WHERE receipt_id = ?", arguments: [number])
            nextReceipt = number
            try batch.octets.withUnsafeBufferPointer { try load(batch.receipts, of: batch, $0) }
            try rows.insertBatch()
            if uncommitted.entries.count >= windowSize {
                // All are one transaction, and memory is not to grow with it.
                try rows.insertKeys(of: uncommitted.entries)
                uncommitted.removeAll()
            }
            if purchases.isFull { counts.newPurchases += try purchases.write() }
        }
    }

    private func references(
        of receipt: VerifiedReceipt, _ octets: UnsafeBufferPointer<UInt8>
    ) throws(MillError) -> Rows.ReceiptReferences {
        let empty = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        let app = receipt.app
        // Anybody can write attributes; which ones occur is asked of the store's receipts.
        let isTrusted = receipt.verification.verdict == .trusted
        return Rows.ReceiptReferences(
            app: try catalog.app(
                environment: octets.part(app.environment) ?? empty, bundle: octets.part(app.bundleIdentifier) ?? empty),
            appVersion: try catalog.version(octets.part(app.appVersion)),
            originalVersion: try catalog.version(octets.part(app.originalApplicationVersion)),
            signer: try catalog.signer(receipt.verification.signer),
            attributeSet: isTrusted ? try catalog.attributeSet(app.undocumentedTypes) : nil,
            purchaseAttributeSet: isTrusted ? try catalog.attributeSet(app.undocumentedPurchaseTypes) : nil)
    }

    /// Writes what a receipt tells, within the transaction at hand.
    func tell(
        _ purchase: InAppPurchase, by source: PurchaseSource, _ octets: UnsafeBufferPointer<UInt8>
    ) throws(MillError) {
        try purchases.tell(CollectionOfOne(purchase), by: source, octets, &catalog) { _, _ in }
        counts.newPurchases += try purchases.write()
    }

    /// Counts a receipt of this run under its new verdict.
    func recount(_ receipt: Int64, from former: Verdict, to verdict: Verdict) {
        guard receipt >= firstReceipt, let count = counts.verdicts[former] else { return }
        counts.verdicts[former] = count > 1 ? count - 1 : nil
        counts.verdicts[verdict, default: 0] += 1
    }

    private func number(of submission: VerifiedSubmission) throws(MillError) -> Int64 {
        if let stored = submission.storedReceipt { return stored }
        guard let found = try find(submission.receipt) else {
            throw Self.fault("receipt \(submission.receipt.hex) was passed over")
        }
        return found
    }

    private static func fault(_ what: String) -> MillError {
        MillError(stage: .loading, what: what, exitStatus: .internalFault)
    }

    /// Whether a receipt is stored, committed or not.
    func holds(_ receipt: SHA256Digest) throws(MillError) -> Bool {
        var number: Int64?
        try write { _ in number = try find(receipt) }
        return number != nil
    }

    private func find(_ receipt: SHA256Digest) throws(MillError) -> Int64? {
        if let number = uncommitted[receipt] { return number }
        return try receipt.withBytes { (digest) throws(MillError) in
            findReceipt.bindBlob(1, digest)
            return try findReceipt.queryInteger()
        }
    }

    // MARK: Transactions

    func write(_ work: (Database) throws -> Void) throws(MillError) {
        try loadDatabase.access { db in
            if !isInTransaction {
                try db.execute(sql: "BEGIN IMMEDIATE")
                isInTransaction = true
            }
            try work(db)
        }
    }

    /// Writes the window's links, keys and purchases and the archive's progress, and
    /// commits.
    func commit() throws(MillError) {
        guard isInTransaction else { return }
        try loadDatabase.access { db in
            try rows.insertLinks()
            try rows.insertKeys(of: uncommitted.entries)
            counts.newPurchases += try purchases.write()
            if let archive { try Self.saveProgress(of: archive, db) }
            try record?.save(counts, db)
            try db.execute(sql: "COMMIT")
        }
        isInTransaction = false
        windowLines = 0
        gatheredLines = 0
        uncommitted.removeAll()
        known?.forget(upTo: lastBatch)
    }

    /// Takes back what was written since the last commit, where SQLite has not. The
    /// loader is done then: it still holds what waited.
    func rollBack() throws(MillError) {
        isInTransaction = false
        try loadDatabase.access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
        }
    }

    /// Ends the load: commits, builds the indices that are missing, and lets the
    /// query planner know the tables' shape.
    func finish() throws(MillError) {
        try commit()
        try loadDatabase.access { db in
            try Schema.buildIndices(db, workers: workers)
            try db.execute(sql: "PRAGMA optimize")
        }
    }
}
