internal import ReceiptFormat
internal import ReceiptTrust

/// What became of a batch's lines: every line is one submission or one
/// rejection.
struct VerifiedBatch: Sendable {
    /// Place in the order of all batches of a run.
    let sequence: Int
    /// Lines of the batch.
    var lineCount = 0
    /// The bytes that all ranges below point into.
    var octets: [UInt8] = []
    var submissions: [VerifiedSubmission] = []
    /// Receipts that were not known before, in the order of the lines.
    var receipts: [VerifiedReceipt] = []
    /// Purchases of all receipts, one receipt's after another's.
    var purchases: [InAppPurchase] = []
    var rejections: [Rejection] = []
    /// Issuers of chains that led to an anchor, where a worker met them first.
    var issuers = IssuerCertificates()

    init(sequence: Int) {
        self.sequence = sequence
    }

    /// Bytes of memory, about, as ``measure()`` found them.
    private(set) var size = 0

    /// Adds up what is held, but for issuers, which are few.
    mutating func measure() {
        size =
            octets.capacity + purchases.capacity * MemoryLayout<InAppPurchase>.stride
            + receipts.capacity * MemoryLayout<VerifiedReceipt>.stride
            + submissions.capacity * MemoryLayout<VerifiedSubmission>.stride
            + rejections.reduce(0) { $0 + $1.size }
    }
}

/// A line that presented a receipt.
struct VerifiedSubmission: Sendable {
    /// Place among the batch's lines, from 0.
    let line: Int
    let receipt: SHA256Digest
    /// Number of the receipt in the database, where it was found there.
    let storedReceipt: Int64?
    let device: ByteRange?
    let account: ByteRange?
    /// Milliseconds since 1970 UTC.
    let submittedAt: Int64?
    let deviceCheck: DeviceCheck
}

/// A receipt seen for the first time.
struct VerifiedReceipt: Sendable {
    let digest: SHA256Digest
    let kind: ReceiptKind
    /// Bytes of the receipt.
    let bytes: Int
    /// What an app receipt states, or what a transaction receipt states of it.
    let app: AppReceipt
    /// Its purchases among the batch's.
    let purchases: Range<Int>
    let verification: Verification
    /// The receipt itself, where it is at hand: always where receipts are kept.
    let whole: ByteRange?
    /// The same, where its verdict may change once more issuers are
    /// known: that of a transaction receipt whose signature holds.
    let reviewable: ByteRange?
}

extension Verification {
    /// Whether more issuers could make a better verdict of it.
    var isReviewable: Bool { verdict != .trusted && verdict != .badSignature }
}
