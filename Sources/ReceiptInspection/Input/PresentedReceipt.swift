internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification

/// One line of a file, or a whole file, decoded: what the store signed in it, and what
/// it states beside.
struct PresentedReceipt {
    /// The file's path, "-" for standard input.
    let path: String
    /// Counted from 1; nil where the file is one receipt.
    let line: Int?
    /// What the ranges of `documents` point into.
    var buffer: ByteBuffer
    /// In the order of the line, at least one.
    let documents: [PresentedDocument]

    init(path: String, line: Int?, buffer: ByteBuffer, documents: [PresentedDocument]) {
        (self.path, self.line, self.buffer, self.documents) = (path, line, buffer, documents)
    }

    init(path: String, line: Int?, buffer: ByteBuffer, content: PresentedDocument.Content, damage: Unreadable? = nil) {
        let only = PresentedDocument(content: content, damage: damage)
        self.init(path: path, line: line, buffer: buffer, documents: [only])
    }

    /// The first document.
    var content: PresentedDocument.Content { documents[0].content }

    /// The file, and the line where there is one.
    var location: String {
        let name = path == "-" ? "standard input" : TerminalText.harmless(path)
        return line.map { "\(name):\($0)" } ?? name
    }

    /// The location of one of the documents, with its number where there are several.
    func location(ofDocument index: Int) -> String {
        guard documents.count > 1 else { return location }
        return "\(location), document \(index + 1) of \(documents.count)"
    }
}

/// A document that stands in a line itself, or why it can't be read.
struct PresentedDocument {
    typealias Content = Result<DecodedDocument, Unreadable>

    let content: Content
    /// Why `content` is only the beginning of a receipt; nil where it is all.
    var damage: Unreadable?
    /// The characters of a signed string that can't be read; nil of what can, and of receipts.
    var characters: ByteRange?
}

/// The documents of lines that were decoded together, line by line.
struct DocumentsByLine {
    private var documents: ArraySlice<DecodedDocument>
    private var rejections: ArraySlice<Rejection>

    init(_ documents: [DecodedDocument], _ rejections: [Rejection]) {
        (self.documents, self.rejections) = (documents[...], rejections[...])
    }

    /// Removes the documents of a line, at least one. What another document holds is not
    /// among them: it is part of that one.
    mutating func next(line: Int) -> [PresentedDocument.Content] {
        var found: [(number: Int, content: PresentedDocument.Content)] = []
        while documents.first?.line == line, let document = documents.popFirst() {
            if document.holder == nil { found.append((document.number, .success(document))) }
        }
        while rejections.first?.line == line, let rejection = rejections.popFirst() {
            // Of a notification that can be read, though not what it holds.
            if found.contains(where: { $0.number == rejection.document }) { continue }
            found.append((rejection.document, .failure(rejection.cause)))
        }
        guard !found.isEmpty else { return [.failure(Unreadable(.noReceipt, "nothing is there"))] }
        return found.sorted { $0.number < $1.number }.map(\.content)
    }
}
