internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// One receipt of a file, decoded, and what the file says beside it.
struct PresentedReceipt {
    /// The file's path, "-" for standard input.
    let path: String
    /// Counted from 1; nil where the file is one receipt.
    let line: Int?
    /// What the ranges of `content` point into.
    var octets: ByteBuffer
    let content: Result<DecodedLine, Unreadable>
    /// Why `content` is only the beginning of a receipt; nil where it is all.
    var damage: Unreadable?
}
