package import ReceiptFormat
package import ReceiptTrust
package import SignedDataFormat

/// The result of verifying a batch. Every document of a line is one submission or one rejection.
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
    /// The purchases of all documents, grouped by document.
    package var purchases: [InAppPurchase] = []
    /// The payloads of the signed documents in `receipts`.
    package var signedPayloads: [SignedPayload] = []
    /// The documents inside documents of the lines, new or not, in the order of the lines.
    package var parts: [VerifiedPart] = []
    package var rejections: [Rejection] = []
    /// The number of lines in which an object states two accounts under different keys; only one of them is used.
    package var linesWithTwoAccounts = 0
    /// The issuers in chains that led to a trust anchor, except those that the worker had already found.
    package var issuers = CertificatePool()

    package init(sequence: Int) {
        self.sequence = sequence
    }

    /// The number of lines with at least one document that is a submission.
    package var loadedLineCount: Int {
        var (count, last) = (0, -1)
        for submission in submissions where submission.line != last { (count, last) = (count + 1, submission.line) }
        return count
    }

    /// The approximate size in memory, in bytes, as computed by ``measure()``.
    package private(set) var size = 0

    /// Computes the size in memory of all values except issuers, which are few.
    package mutating func measure() { size = sizeOfRows + sizeOfContent }

    /// The size in bytes of the values for each line.
    package var sizeOfRows: Int {
        receipts.capacity * MemoryLayout<VerifiedReceipt>.stride
            + parts.capacity * MemoryLayout<VerifiedPart>.stride
            + submissions.capacity * MemoryLayout<VerifiedSubmission>.stride
            + rejections.reduce(0) { $0 + $1.size }
    }

    /// The size in bytes of the buffers to which lines refer, which several batches may share.
    package var sizeOfContent: Int {
        bytes.capacity + purchases.capacity * MemoryLayout<InAppPurchase>.stride
            + signedPayloads.capacity * MemoryLayout<SignedPayload>.stride
            + signedPayloads.reduce(0) { $0 + ($1.extras?.size ?? 0) }
    }
}

/// A document inside another document.
package struct VerifiedPart: Sendable {
    package let holder: SHA256Digest
    package let part: SignedPart
    package let document: SHA256Digest

    package init(holder: SHA256Digest, part: SignedPart, document: SHA256Digest) {
        (self.holder, self.part, self.document) = (holder, part, document)
    }
}

/// A document that is directly in a line.
package struct VerifiedSubmission: Sendable {
    /// The index of the line in its batch.
    package var line: Int
    /// The number of the document in its line, from 1.
    package let document: Int
    package let receipt: SHA256Digest
    /// The document's id in the database, if it was found there.
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
    /// The attributes of an app receipt, or what another document states about the app.
    package let app: AppReceipt
    /// The indices of the document's purchases in those of the batch.
    package var purchases: Range<Int>
    package let verification: Verification
    /// The index in the batch's payloads of signed documents; nil for a receipt.
    package var payload: Int?
    /// The members of a signed document that are not in the table of fields; nil if there are none.
    package let unknown: UnknownMembers?
    /// The whole document, if receipts are stored or it is a transaction receipt; nil for signed data that names a
    /// person if there is a pseudonym key.
    package let whole: ByteRange?
    /// The whole receipt, if its verdict may change once more issuers are known, as for a transaction receipt with a
    /// valid signature; else nil.
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
    /// Whether the verdict could improve once more issuers are known.
    package var isReviewable: Bool { verdict != .trusted && verdict != .badSignature }
}
