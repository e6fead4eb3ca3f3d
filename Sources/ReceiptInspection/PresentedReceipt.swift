internal import MillSystem
internal import ReceiptVerification

/// One receipt of a file, decoded, and what the file states beside it.
struct PresentedReceipt {
    /// The file's path, "-" for standard input.
    let path: String
    /// Counted from 1; nil where the file is one receipt.
    let line: Int?
    /// What the ranges of `content` point into.
    var buffer: ByteBuffer
    let content: Result<DecodedDocument, Unreadable>
    /// Why `content` is only the beginning of a receipt; nil where it is all.
    var damage: Unreadable?

    /// The file, and the line where there is one.
    var location: String {
        let name = path == "-" ? "standard input" : TerminalText.harmless(path)
        return line.map { "\(name):\($0)" } ?? name
    }
}
