internal import MillSystem
internal import ReceiptVerification

/// One line of a file, or a whole file, decoded: what the store signed in it, and what
/// it states beside.
struct PresentedReceipt {
    /// The file's path, "-" for standard input.
    let path: String
    /// Counted from 1; nil where the file is one document.
    let line: Int?
    /// What the ranges of `documents` point into.
    let buffer: ByteBuffer
    /// In the order of the line, at least one.
    let documents: [PresentedDocument]

    /// The first document.
    var content: Result<DecodedDocument, Unreadable> { documents[0].content }

    /// The file, and the line where there is one; of one of several documents also its number.
    func location(ofDocument index: Int) -> String {
        let name = path == "-" ? "standard input" : TerminalText.harmless(path)
        let location = line.map { "\(name):\($0)" } ?? name
        return documents.count > 1 ? "\(location), document \(index + 1) of \(documents.count)" : location
    }
}

/// A document that stands in a line itself, or why it can't be read.
struct PresentedDocument {
    let content: Result<DecodedDocument, Unreadable>
    /// The document as the line has it, without escapes; nil where that is not wanted, or not known.
    var characters: [UInt8]?

    /// Why the document can't be read; nil where it can.
    var fault: Unreadable? {
        if case .failure(let fault) = content { fault } else { nil }
    }

    /// The beginning of a receipt whose base64 is damaged: what whole groups of four
    /// characters before the fault decode to.
    func decodedBeginning() -> (bytes: [UInt8], fault: Unreadable)? {
        guard let fault, fault.reason == .invalidBase64, let characters else { return nil }
        let decodable = characters.filter { !PresentedReceiptReader.isSpace($0) }.prefix { $0 != UInt8(ascii: "=") }
        let groups = Array(decodable.prefix(decodable.count / 4 * 4))
        var buffer = ByteBuffer(capacity: groups.count)
        guard !groups.isEmpty, buffer.appendBase64(groups.span, in: groups.indices) != nil else { return nil }
        let bytes = buffer.bytes
        let detail = "\(fault.detail): only its first \(groups.count) characters, \(bytes.count) bytes, are read"
        return (bytes, Unreadable(fault.reason, detail))
    }
}
