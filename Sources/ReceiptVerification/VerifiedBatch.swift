package import ReceiptFormat
package import ReceiptTrust
package import SignedDataFormat

/// The outcome of a batch, in which every document of a line is one submission or one rejection.
package struct VerifiedBatch: Sendable {
    /// The position of the batch in the order of all batches of a run.
    package let sequence: Int
    /// The number of lines in the batch.
    package var lineCount = 0
    /// The buffer of all ranges in the batch's values.
    package var bytes: [UInt8] = []
    package var submissions: [VerifiedSubmission] = []
    /// The documents that were not known before, in the order of the lines.
    package var receipts: [VerifiedReceipt] = []
    /// The purchases of all documents, one document's after another's.
    package var purchases: [InAppPurchase] = []
    /// The payloads of the signed documents in `receipts`.
    package var signedPayloads: [SignedPayload] = []
    /// The documents that documents of the lines hold, new or not, in the order of the lines.
    package var parts: [VerifiedPart] = []
    package var rejections: [Rejection] = []
    /// The number of lines in which an object states two accounts under different keys; one of them counts.
    package var linesWithTwoAccounts = 0
    /// The issuers of chains that led to an anchor, as far as the worker had not found them before.
    package var issuers = CertificatePool()

    package init(sequence: Int) {
        self.sequence = sequence
    }

    /// The number of lines of which at least one document is a submission.
    package var loadedLineCount: Int {
        var (count, last) = (0, -1)
        for submission in submissions where submission.line != last { (count, last) = (count + 1, submission.line) }
        return count
    }

    /// The approximate size in memory in bytes, as ``measure()`` found it.
    package private(set) var size = 0

    /// Adds up the memory of all values, except issuers, which are few.
    package mutating func measure() { size = sizeOfRows + sizeOfContent }

    /// The size in bytes of the values for each line.
    package var sizeOfRows: Int {
        receipts.capacity * MemoryLayout<VerifiedReceipt>.stride
            + parts.capacity * MemoryLayout<VerifiedPart>.stride
            + submissions.capacity * MemoryLayout<VerifiedSubmission>.stride
            + rejections.reduce(0) { $0 + $1.size }
    }

    /// The size in bytes of the values that lines point into, which several batches may share.
    package var sizeOfContent: Int {
        bytes.capacity + purchases.capacity * MemoryLayout<InAppPurchase>.stride
            + signedPayloads.capacity * MemoryLayout<SignedPayload>.stride
            + signedPayloads.reduce(0) { $0 + ($1.extras?.size ?? 0) }
    }
}

/// A document that another document holds.
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
    /// The index of the line in its batch.
    package var line: Int
    /// The number of the document in its line, from 1.
    package let document: Int
    package let receipt: SHA256Digest
    /// The document's id in the database, where it was found there.
    package let storedReceipt: Int64?
    package let device: ByteRange?
    package let account: ByteRange?
    /// The time of submission, milliseconds since 1970 UTC.
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

/// A document seen for the first time.
package struct VerifiedReceipt: Sendable {
    package let digest: SHA256Digest
    package let kind: ReceiptKind
    /// The size of the document in bytes.
    package let bytes: Int
    /// The attributes of an app receipt, or another document's statements about the app.
    package let app: AppReceipt
    /// The document's purchases in those of the batch.
    package var purchases: Range<Int>
    package let verification: Verification
    /// The index in the batch's payloads of signed documents; nil for a receipt.
    package var payload: Int?
    /// The members of a signed document that the table of fields does not know; nil if there are none.
    package let unknown: UnknownMembers?
    /// The whole document, where receipts are stored, and a transaction receipt in any case; nil
    /// for signed data that names a person under a key for pseudonyms.
    package let whole: ByteRange?
    /// The whole receipt where its verdict may change once more issuers are known, which holds for
    /// a transaction receipt whose signature holds; else nil.
    package var reviewable: ByteRange?

    package init(
        digest: SHA256Digest, kind: ReceiptKind, bytes: Int, app: AppReceipt, purchases: Range<Int>,
        payload: Int? = nil, unknown: UnknownMembers? = nil, verification: Verification, whole: ByteRange?,
        reviewable: ByteRange?
    ) {
        (self.payload, self.unknown) = (payload, unknown)
        (self.digest, self.kind, self.bytes, self.app, self.purchases) = (digest, kind, bytes, app, purchases)
        (self.verification, self.whole, self.reviewable) = (verification, whole, reviewable)
    }
}

extension Verification {
    /// Whether the verdict could become better once more issuers are known.
    package var isReviewable: Bool { verdict != .trusted && verdict != .badSignature }
}
