internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification

/// The lines of one batch, and the number of the first one.
typealias NumberedBatch = (firstLine: Int, content: LineBatch.Content, header: TableHeader?)

/// The batches of a file. A class, because the reader is not copyable and so can't be a closure's variable.
final class NumberedBatches {
    private var reader: ArchiveReader
    private let path: String
    private var nextLine = 1

    init(of file: InputFile, limits: Limits) throws(MillError) {
        path = file.path
        reader = try ArchiveReader(file: file, limits: limits)
    }

    func next() throws(MillError) -> NumberedBatch? {
        guard let content = try reader.next() else { return nil }
        defer { nextLine += content.lineCount }
        return (nextLine, content, reader.header)
    }

    /// Throws if the file is damaged after the lines that were read.
    func requireUndamaged(hint: String? = nil) throws(MillError) {
        guard let damage = reader.damage else { return }
        throw MillError(stage: .reading, path: path, what: damage, hint: hint, exitStatus: .badData)
    }
}

/// Decodes single lines. Two threads must not share a presenter, so every worker has its own.
struct LinePresenter {
    private let decoder: LineDecoder
    /// Finds the characters of documents; nil if they are not needed.
    private let scanner: SubmissionScanner?

    /// - Parameter keepsCharacters: whether documents keep their characters, so that damaged documents can be shown.
    init(keys: LineKeys, limits: Limits, keepsCharacters: Bool = false) throws(MillError) {
        scanner = keepsCharacters ? SubmissionScanner(keys: keys) : nil
        decoder = try MillError.wrapping { () throws(OpenSSLError) in try LineDecoder(keys: keys, limits: limits) }
    }

    /// Whether a text begins with the header of a table.
    func beginsWithHeader(_ text: [UInt8]) -> Bool { decoder.table(TableHeader(beginningOf: text.span)) != nil }

    /// Decodes the lines of a batch, except a table's header.
    func lines(of batch: NumberedBatch, of path: String) throws(MillError) -> [PresentedReceipt] {
        var number = batch.firstLine
        switch batch.content {
        case .overlongLine(let bytes):
            let document = PresentedDocument(content: .failure(decoder.overlong(bytes)))
            return [PresentedReceipt(path: path, line: number, buffer: ByteBuffer(capacity: 0), documents: [document])]
        case .lines(let text):
            var lines: [PresentedReceipt] = []
            let table = decoder.table(batch.header)
            var start = 0
            while start < text.count {
                let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
                if table?.isHeader(text.span, start..<end) != true {
                    // The newline is kept: without it, an empty line would be no line.
                    let text = Array(text[start..<min(end + 1, text.count)])
                    lines.append(try line(text, path, batch.header, number: number))
                }
                (start, number) = (end + 1, number + 1)
            }
            return lines
        }
    }

    func line(
        _ text: [UInt8], _ path: String, _ header: TableHeader? = nil, number: Int? = nil
    ) throws(MillError) -> PresentedReceipt {
        var buffer = ByteBuffer(capacity: text.count)
        var verified = VerifiedBatch(sequence: 0)
        let decoded = try MillError.wrapping { () throws(OpenSSLError) in
            try decoder.decode(text, header: header, into: &buffer, counting: &verified)
        }
        var documents = Self.documents(decoded, verified.rejections)
        if let scanner, case let characters = Self.characters(of: text, header, scanner),
            characters.count == documents.count
        {
            for index in documents.indices { documents[index].characters = characters[index] }
        }
        return PresentedReceipt(path: path, line: number, buffer: buffer, documents: documents)
    }

    /// The documents of a line in order, at least one. Parts of a notification are not included, since they belong to
    /// the notification.
    private static func documents(_ decoded: [DecodedDocument], _ rejections: [Rejection]) -> [PresentedDocument] {
        var found: [Int: Result<DecodedDocument, Unreadable>] = [:]
        // A readable notification with an unreadable part has both a rejection and a document; the document takes
        // precedence.
        for rejection in rejections { found[rejection.document] = .failure(rejection.cause) }
        for document in decoded where document.holder == nil { found[document.number] = .success(document) }
        guard !found.isEmpty else {
            return [PresentedDocument(content: .failure(Unreadable(.noReceipt, "nothing is there")))]
        }
        return found.sorted { $0.key < $1.key }.map { PresentedDocument(content: $0.value) }
    }

    /// The characters of a line's documents, each document once; none if the documents can't be found. In a line that
    /// is neither JSON nor bare text, a document extends from the beginning of a signed string to the next quote.
    private static func characters(
        of text: [UInt8], _ header: TableHeader?, _ scanner: SubmissionScanner
    ) -> [[UInt8]] {
        let end = text.last == UInt8(ascii: "\n") ? text.count - 1 : text.count
        if let scanned = try? scanner.scan(text.span, 0..<end, table: scanner.table(header)) {
            var found: [(characters: [UInt8], isDocument: Bool)] = []
            for document in scanned.documents {
                let characters = scanned.characters(of: document.value, in: text)
                if found.contains(where: { $0.characters == characters }) { continue }
                found.append((characters, document.fault == nil))
            }
            return found.map { $0.isDocument ? $0.characters : [] }
        }
        let beginning = SignedInspection.beginning
        let start = text.indices.first { start in
            (start == 0 || text[start - 1] == UInt8(ascii: "\"") || PresentedReceiptReader.isSpace(text[start - 1]))
                && text[start...].starts(with: beginning)
        }
        guard let start else { return [] }
        let characters = text[start...].prefix { $0 != UInt8(ascii: "\"") }
        return [Array(characters[...(characters.lastIndex { !PresentedReceiptReader.isSpace($0) } ?? start)])]
    }
}
