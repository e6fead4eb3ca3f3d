internal import MillSystem
internal import ReceiptVerification

/// A decoded line of a file, or a decoded file that is one document: its documents, and what the line states besides
/// them.
struct PresentedReceipt {
    /// The file's path; "-" is standard input.
    let path: String
    /// The line's number, from 1; nil if the file is one document.
    let line: Int?
    /// The bytes to which the ranges of `documents` refer.
    let buffer: ByteBuffer
    /// The documents in the order of the line, at least one.
    let documents: [PresentedDocument]

    /// The content of the line's first document.
    var content: Result<DecodedDocument, Unreadable> { documents[0].content }

    /// The file's name, the line's number if there is one, and the document's number if the line has several.
    func location(ofDocument index: Int) -> String {
        let name = path == "-" ? "standard input" : TerminalText.harmless(path)
        let location = line.map { "\(name):\($0)" } ?? name
        return documents.count > 1 ? "\(location), document \(index + 1) of \(documents.count)" : location
    }
}

/// A document of a line, or the reason why it can't be read.
struct PresentedDocument {
    let content: Result<DecodedDocument, Unreadable>
    /// The document's characters without escapes; nil if they were not kept or not found.
    var characters: [UInt8]?

    /// The reason why the document can't be read; nil if it can.
    var fault: Unreadable? {
        if case .failure(let fault) = content { fault } else { nil }
    }

    /// The beginning of a receipt with damaged base64, decoded from the complete groups of four characters before the
    /// fault.
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
