internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Writes the rows of verified batches: receipts, submissions, rejections, and the links from receipts to purchases.
struct BatchWriter {
    private var rows: RowWriter
    private var dimensions: DimensionKeys
    private(set) var receipts: ReceiptNumbers
    private var signedRows: SignedRows
    /// Stores new receipts whole; nil if the run does not keep receipts.
    private let rawReceipts: RawReceiptStore?
    /// The number of issuers that the workers of this run know.
    private let knownIssuers: Int
    /// The receipts that workers have claimed, to verify each only once; nil if all receipts come from the database.
    private let known: KnownReceipts?
    /// Skipped batches with receipts to which later batches may refer.
    private var passedOver = PassedOverBatches()

    init(_ db: Database, knownIssuers: Int, known: KnownReceipts?, keepsReceipts: Bool) throws {
        (self.knownIssuers, self.known) = (knownIssuers, known)
        try RowBuffer.register(db)
        rows = try RowWriter(db, tags: IdentifierTags(db), sortsLinks: Schema.hasIndices(db))
        signedRows = try SignedRows(db)
        dimensions = try DimensionKeys(db)
        receipts = try ReceiptNumbers(db)
        rawReceipts = keepsReceipts ? try RawReceiptStore(db) : nil
    }

    /// Writes a batch's receipts and submissions within the loader's transaction.
    ///
    /// - Parameter submissionID: the identifier of a submission; nil if no submission is to be written.
    mutating func write(
        _ batch: VerifiedBatch, merging merger: inout PurchaseMerger, counting counts: inout LoadCounts,
        _ db: Database, submissionID: (_ submission: VerifiedSubmission, _ receipt: Int64) throws -> Int64?
    ) throws {
        try DocumentStore.insert(batch.issuers, db)
        // Two workers may verify one receipt at the same time; the batch that is loaded first has written the row.
        let loaded = known?.takeOvertaken(of: batch.sequence) ?? []
        let own = loaded.isEmpty ? batch.receipts : batch.receipts.filter { !loaded.contains($0.key) }
        try writeReceiptsOfOthers(than: own, for: batch, &merger, &counts)
        try batch.bytes.withUnsafeBufferPointer { bytes in
            try write(own, of: batch, bytes, &merger, &counts)
            var holders: Set<Int64> = []
            for submission in batch.submissions {
                let receipt = try id(ofReceiptOf: submission)
                guard let id = try submissionID(submission, receipt) else { continue }
                rows.put(submission, id: id, receipt: receipt, in: bytes)
                counts.submissions += 1
                if !batch.parts.isEmpty { holders.insert(receipt) }
            }
            for part in batch.parts {
                let holder = try id(of: part.holder)
                signedRows.put(part.part, of: holder, receipt: try id(of: part.document))
                if holders.contains(holder) { counts.parts += 1 }
            }
        }
        try rows.insertBatch()
        try signedRows.insertBatch()
    }

    /// Writes receipts to which this batch refers and whose own batches were skipped.
    private mutating func writeReceiptsOfOthers(
        than own: [VerifiedReceipt], for batch: VerifiedBatch, _ merger: inout PurchaseMerger,
        _ counts: inout LoadCounts
    ) throws(MillError) {
        let lenders = passedOver.lenders(to: batch.sequence)
        guard let known, !lenders.isEmpty else { return }
        var missing = batch.receiptsOfOthers.subtracting(own.map(\.digest))
        for lender in lenders {
            var lent: [VerifiedReceipt] = []
            for receipt in lender.receipts where missing.contains(receipt.digest) {
                missing.remove(receipt.digest)
                if try receipts.find(receipt.digest) == nil { lent.append(receipt) }
            }
            guard !lent.isEmpty else { continue }
            try lender.bytes.withUnsafeBufferPointer { (bytes) throws(MillError) in
                try write(lent, of: lender, bytes, &merger, &counts)
            }
            // A claim keeps other workers that have verified these receipts from loading them again.
            _ = known.claim(lent.map(\.key), batch: batch.sequence)
        }
    }

    func write(_ rejection: Rejection, archive: Int64, line: Int64) throws(MillError) {
        try rows.insert(rejection, archive: archive, line: line)
    }

    private mutating func write(
        _ new: [VerifiedReceipt], of batch: VerifiedBatch, _ bytes: UnsafeBufferPointer<UInt8>,
        _ merger: inout PurchaseMerger, _ counts: inout LoadCounts
    ) throws(MillError) {
        let first = receipts.next
        var apps: [Int64] = []
        apps.reserveCapacity(new.count)
        for receipt in new {
            let references = try references(of: receipt, bytes)
            apps.append(references.app)
            rows.put(receipt, id: receipts.next, references, in: bytes)
            receipts.next += 1
        }
        try rows.insertReceipts()
        for (index, receipt) in new.enumerated() {
            let id = first + Int64(index)
            receipts.add(receipt.digest, id)
            counts.newReceipts += 1
            counts.verdicts[receipt.verification.verdict, default: 0] += 1
            let source = PurchaseSource(
                kind: receipt.kind, digest: receipt.digest, receipt: id, app: apps[index],
                verdict: receipt.verification.verdict, creationDate: receipt.app.receiptCreationDate)
            try merger.purchases.merge(batch.purchases[receipt.purchases], by: source, bytes, &dimensions) {
                rows.putLink(receipt: id, transaction: $0, texts: $1)
            }
            if let payload = receipt.payload {
                try write(batch.signedPayloads[payload], of: receipt, by: source, in: batch, bytes, &merger)
            }
            if let whole = bytes.part(receipt.reviewable) {
                try rows.insertReviewable(receipt: id, content: whole, issuers: knownIssuers)
            }
            // With a pseudonym key, signed data that names a person is not stored whole.
            if let rawReceipts, receipt.payload == nil || receipt.whole != nil {
                guard let whole = bytes.part(receipt.whole) else {
                    throw Self.fault("receipt \(receipt.digest.hex) is to be stored whole, and its bytes are not there")
                }
                try rawReceipts.store(whole, of: id)
            }
        }
    }

    /// Writes what a signed document states besides purchases: its terms, its revocation, or the rows of its other
    /// data.
    private mutating func write(
        _ payload: SignedPayload, of receipt: VerifiedReceipt, by source: PurchaseSource, in batch: VerifiedBatch,
        _ bytes: UnsafeBufferPointer<UInt8>, _ merger: inout PurchaseMerger
    ) throws(MillError) {
        if payload.kind == .signedTransaction {
            guard let purchase = batch.purchases[receipt.purchases].first else { return }
            merger.terms.merge(payload, of: bytes.part(purchase.transactionIdentifier), by: source, bytes)
            try signedRows.insertRevocation(payload, of: source.receipt, bytes)
        }
        if source.verdict == .trusted {
            try signedRows.put(payload, of: source.receipt, receipt.app, bytes, &dimensions)
        }
    }

    /// Replaces the row of a stored receipt, which keeps its identifier.
    mutating func replace(
        _ id: Int64, with batch: VerifiedBatch, merging merger: inout PurchaseMerger,
        counting counts: inout LoadCounts, _ db: Database
    ) throws {
        try DocumentStore.insert(batch.issuers, db)
        try db.execute(sql: "DELETE FROM receipt WHERE receipt_id = ?", arguments: [id])
        receipts.next = id
        try batch.bytes.withUnsafeBufferPointer { try write(batch.receipts, of: batch, $0, &merger, &counts) }
        try rows.insertBatch()
        try signedRows.insertBatch()
    }

    /// Merges the purchases that a stored receipt states, under the given verdict.
    mutating func merge(
        _ batch: VerifiedBatch, ofStored id: Int64, app: Int64, _ verdict: Verdict, into merger: inout PurchaseMerger
    ) throws(MillError) {
        guard let receipt = batch.receipts.first else { return }
        let purchases = batch.purchases[receipt.purchases]
        let source = PurchaseSource(
            kind: receipt.kind, digest: receipt.digest, receipt: id, app: app, verdict: verdict,
            creationDate: receipt.app.receiptCreationDate)
        try batch.bytes.withUnsafeBufferPointer { (bytes) throws(MillError) in
            try merger.purchases.merge(purchases, by: source, bytes, &dimensions) { _, _ in }
            guard receipt.kind == .signedTransaction, let payload = receipt.payload, let purchase = purchases.first
            else { return }
            merger.terms.merge(
                batch.signedPayloads[payload], of: bytes.part(purchase.transactionIdentifier), by: source, bytes)
        }
    }

    /// Writes the links and keys of the receipts since the last commit.
    mutating func finishWindow() throws(MillError) {
        try rows.insertLinks()
        try insertKeys()
    }

    /// Writes the keys of the receipts since the last commit, and removes those receipts from memory.
    mutating func insertKeys() throws(MillError) {
        try rows.insertKeys(of: receipts.uncommitted.entries)
        receipts.forgetUncommitted()
    }

    /// Keeps a skipped batch that had claimed its receipts, since other workers have therefore not verified them.
    mutating func passOver(_ batch: VerifiedBatch) {
        guard let known else { return }
        passedOver.append(batch, neededUpTo: known.withdraw(batch.sequence))
    }

    /// Releases the workers' claims to receipts of committed batches.
    func forgetClaims(upTo batch: Int) { known?.forget(upTo: batch) }

    private mutating func references(
        of receipt: VerifiedReceipt, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(MillError) -> RowWriter.ReceiptReferences {
        let empty = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        let app = receipt.app
        // Attributes and members of documents that Apple did not sign could be anything, so only those of trusted
        // documents are recorded.
        let isTrusted = receipt.verification.verdict == .trusted
        return RowWriter.ReceiptReferences(
            app: try dimensions.app(
                environment: bytes.part(app.environment) ?? empty, bundle: bytes.part(app.bundleIdentifier) ?? empty),
            appVersion: try dimensions.version(bytes.part(app.appVersion)),
            originalVersion: try dimensions.version(bytes.part(app.originalApplicationVersion)),
            signer: try dimensions.signer(receipt.verification.signer),
            attributeSet: isTrusted ? try dimensions.attributeSet(app.undocumentedTypes) : nil,
            purchaseAttributeSet: isTrusted ? try dimensions.attributeSet(app.undocumentedPurchaseTypes) : nil,
            unknownSet: isTrusted ? try dimensions.unknownSet(receipt.unknown) : nil)
    }

    private func id(ofReceiptOf submission: VerifiedSubmission) throws(MillError) -> Int64 {
        if let stored = submission.storedReceipt { return stored }
        return try id(of: submission.receipt)
    }

    private func id(of receipt: SHA256Digest) throws(MillError) -> Int64 {
        guard let found = try receipts.find(receipt) else { throw Self.fault("receipt \(receipt.hex) was passed over") }
        return found
    }

    private static func fault(_ what: String) -> MillError {
        MillError(stage: .loading, what: what, exitStatus: .internalFault)
    }
}
