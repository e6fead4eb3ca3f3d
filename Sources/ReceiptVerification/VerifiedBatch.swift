package import ReceiptFormat
package import ReceiptTrust
package import SignedDataFormat

/// The outcome of a batch: every document of a line is one submission or one rejection.
package struct VerifiedBatch: Sendable {
    /// Position in the order of all batches of a run.
    package let sequence: Int
    /// Lines of the batch.
    package var lineCount = 0
    /// The bytes that all ranges below point into.
    package var bytes: [UInt8] = []
    package var submissions: [VerifiedSubmission] = []
    /// Receipts that were not known before, in the order of the lines.
    package var receipts: [VerifiedReceipt] = []
    /// Purchases of all receipts, one receipt's after another's.
    package var purchases: [InAppPurchase] = []
    /// What the signed documents among the receipts state.
    package var signedPayloads: [SignedPayload] = []
    /// The documents that documents of the lines hold, new or not, in the order of the lines.
    package var parts: [VerifiedPart] = []
    package var rejections: [Rejection] = []
    /// Issuers of chains that led to an anchor, those that the worker had not found before.
    package var issuers = IssuerCertificates()

    package init(sequence: Int) {
        self.sequence = sequence
    }

    /// Lines of which a document is a submission.
    package var loadedLineCount: Int {
        var (count, last) = (0, -1)
        for submission in submissions where submission.line != last { (count, last) = (count + 1, submission.line) }
        return count
    }

    /// Bytes of memory, about, as ``measure()`` found them.
    package private(set) var size = 0

    /// Adds up what is held, but for issuers, which are few.
    package mutating func measure() { size = sizeOfRows + sizeOfContent }

    /// Bytes of what there is for each line.
    package var sizeOfRows: Int {
        receipts.capacity * MemoryLayout<VerifiedReceipt>.stride
            + parts.capacity * MemoryLayout<VerifiedPart>.stride
            + submissions.capacity * MemoryLayout<VerifiedSubmission>.stride
            + rejections.reduce(0) { $0 + $1.size }
    }

    /// Bytes of what the lines point into, which several batches may share.
    package var sizeOfContent: Int {
        bytes.capacity + purchases.capacity * MemoryLayout<InAppPurchase>.stride
            + signedPayloads.capacity * MemoryLayout<SignedPayload>.stride
    }
}

/// A document that another holds.
package struct VerifiedPart: Sendable {
    package let holder: SHA256Digest
    package let part: SignedPart
    package let document: SHA256Digest

    package init(holder: SHA256Digest, part: SignedPart, document: SHA256Digest) {
        (self.holder, self.part, self.document) = (holder, part, document)
    }
}

/// A document that stands in a line.
package struct VerifiedSubmission: Sendable {
    /// Index among the batch's lines.
    package var line: Int
    /// Which of the line's documents, from 1.
    package let document: Int
    package let receipt: SHA256Digest
    /// The receipt's id in the database, where it was found there.
    package let storedReceipt: Int64?
    package let device: ByteRange?
    package let account: ByteRange?
    /// Milliseconds since 1970 UTC.
    package let submittedAt: Int64?
    package let deviceCheck: DeviceCheck

    package init(
        line: Int, document: Int = 1, receipt: SHA256Digest, storedReceipt: Int64?, device: ByteRange?,
        account: ByteRange?,
        submittedAt: Int64?, deviceCheck: DeviceCheck
    ) {
        (self.line, self.receipt, self.storedReceipt, self.device) = (line, receipt, storedReceipt, device)
        self.document = document
        (self.account, self.submittedAt, self.deviceCheck) = (account, submittedAt, deviceCheck)
    }
}

/// A receipt seen for the first time.
package struct VerifiedReceipt: Sendable {
    package let digest: SHA256Digest
    package let kind: ReceiptKind
    /// Bytes of the receipt.
    package let bytes: Int
    /// The attributes of an app receipt, or what a transaction receipt states of the app.
    package let app: AppReceipt
    /// Its purchases among the batch's.
    package var purchases: Range<Int>
    package let verification: Verification
    /// Index among the batch's payloads of signed documents; nil for a receipt.
    package var payload: Int?
    /// The receipt itself, where it is in memory: always where receipts are stored, but
    /// for signed data that names a person under a key for pseudonyms.
    package let whole: ByteRange?
    /// The receipt itself, where its verdict may change once more issuers are known: that of a transaction receipt
    /// whose signature holds.
    package var reviewable: ByteRange?

    package init(
        digest: SHA256Digest, kind: ReceiptKind, bytes: Int, app: AppReceipt, purchases: Range<Int>,
        payload: Int? = nil, verification: Verification, whole: ByteRange?, reviewable: ByteRange?
    ) {
        self.payload = payload
        (self.digest, self.kind, self.bytes, self.app, self.purchases) = (digest, kind, bytes, app, purchases)
        (self.verification, self.whole, self.reviewable) = (verification, whole, reviewable)
    }
}

extension Verification {
    /// Whether more issuers could make a better verdict of it.
    package var isReviewable: Bool { verdict != .trusted && verdict != .badSignature }
}
