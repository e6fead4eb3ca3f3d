internal import ReceiptFormat
internal import ReceiptTrust

/// What became of a batch's lines: every line is one submission or one
/// rejection.
struct GradedBatch: Sendable {
    /// Place in the order of all batches of a run.
    let sequence: Int
    /// Lines of the batch.
    var lineCount = 0
    /// The bytes that all ranges below point into.
    var octets: [UInt8] = []
    var submissions: [GradedSubmission] = []
    /// Receipts that were not known before, in the order of the lines.
    var receipts: [GradedReceipt] = []
    /// Purchases of all receipts, one receipt's after another's.
    var purchases: [InAppPurchase] = []
    var rejections: [Rejection] = []

    init(sequence: Int) {
        self.sequence = sequence
    }
}

/// A line that presented a receipt.
struct GradedSubmission: Sendable {
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
struct GradedReceipt: Sendable {
    let digest: SHA256Digest
    /// Bytes of the container.
    let bytes: Int
    let app: AppReceipt
    /// Its purchases among the batch's.
    let purchases: Range<Int>
    let verification: Verification
}
