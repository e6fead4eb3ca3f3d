internal import MillSystem
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Reads receipts from a file with one or many, in any form in which receipts are passed on.
struct PresentedReceiptReader {
    /// The form of a file, recognised by its content.
    enum FileForm: Equatable {
        /// The bytes of one receipt.
        case binary
        /// Base64: one receipt on one line or wrapped, or one receipt on each line.
        case base64
        /// JSON: one value on each line, or one value over all lines.
        case json
    }

    private let presenter: LinePresenter
    private let limits: Limits

    /// - Parameter keepsCharacters: whether documents keep their characters, so that damaged documents can be shown.
    init(keys: LineKeys, limits: Limits, keepsCharacters: Bool = false) throws(MillError) {
        self.limits = limits
        presenter = try LinePresenter(keys: keys, limits: limits, keepsCharacters: keepsCharacters)
    }

    /// Passes every line of some files to `body`, in order, with a flag that states whether the line is the only one.
    ///
    /// - Returns: the errors of files that can't be read; all other files were read.
    /// - Throws: the errors of `body`, and ``MillError`` for an internal error.
    func forEach(
        in inputs: [String], _ body: (_ presented: PresentedReceipt, _ isOnly: Bool) throws -> Void
    ) throws -> [MillError] {
        var failures: [MillError] = []
        var count = 0
        // The last line is held back until it is known whether another one follows.
        var last: PresentedReceipt?
        for path in inputs {
            do {
                try read(path) { presented in
                    if let former = last { try body(former, false) }
                    (last, count) = (presented, count + 1)
                }
            } catch let failure as MillError where failure.stage == .reading {
                failures.append(failure)
            }
        }
        if let last { try body(last, count == 1 && inputs.count == 1) }
        return failures
    }

    /// Passes every receipt of a file to `body`, in the order of the file.
    ///
    /// - Throws: ``MillError`` if the file can't be read, or is damaged gzip; and the errors of `body`.
    func read(_ path: String, _ body: (PresentedReceipt) throws -> Void) throws {
        if Self.isDocument(path) { return try body(presenter.line(Array(path.utf8), "the argument")) }
        let file = try InputFile(path: path)
        let text = try beginning(of: file)
        let whole: PresentedReceipt?
        switch Self.form(of: text) {
        case _ where presenter.beginsWithHeader(text): whole = nil
        case .binary: whole = try binary(text, path)
        case .base64: whole = try beginsWithWholeLine(text, path) ? nil : presenter.line(Self.onOneLine(text), path)
        case .json: whole = try wholeDocument(text, path)
        }
        if let whole { return try body(whole) }
        try file.rewind()
        try lines(of: file, path, body)
    }

    /// Whether an argument is a document itself, pasted instead of a file's name: it begins like a signed string,
    /// base64 of a receipt, or JSON, and no file has that name.
    static func isDocument(_ argument: String) -> Bool {
        ["eyJ", "MII", "{", "[{", "\""].contains { argument.utf8.starts(with: $0.utf8) }
            && FileStamp(path: argument) == nil
    }

    /// Recognises the form of a file by its first bytes.
    static func form(of text: [UInt8]) -> FileForm {
        let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
        let head = text[start...].prefix(512)
        switch head.first {
        case nil: return .base64
        // The first byte of a byte order mark, which some editors put before JSON.
        case 0xef: return .json
        case UInt8(ascii: "{"): return ByteReader(text.span).beginsWithPropertyList ? .binary : .json
        case UInt8(ascii: "\""), UInt8(ascii: "["): return .json
        default:
            let isText = head.allSatisfy { (0x20..<0x7f).contains($0) || isSpace($0) }
            return isText ? .base64 : .binary
        }
    }

    static func isSpace(_ character: UInt8) -> Bool {
        character == 0x20 || (0x09...0x0d).contains(character)
    }

    // MARK: One receipt

    /// The beginning of a file, up to the maximum length of a receipt: `receiptBytes` for a receipt's bytes,
    /// `lineBytes` for text. At least one more byte is read, which shows whether the file is longer.
    private func beginning(of file: InputFile) throws(MillError) -> [UInt8] {
        let maximum = max(limits.lineBytes, limits.receiptBytes)
        var source = try ByteSource(file: file, inflationLimit: limits.inflation)
        var text: [UInt8] = []
        let step = 1 << 16
        while text.count <= maximum {
            let old = text.count
            text.append(contentsOf: repeatElement(0, count: step))
            var span = text.mutableSpan
            let outcome = try span.withUnsafeMutableBytes { (bytes) throws(MillError) in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[old...]))
            }
            switch outcome {
            case .produced(let count): text.removeLast(step - count)
            case .end:
                text.removeLast(step)
                return text
            case .damaged(let reason):
                throw MillError(stage: .reading, path: file.path, what: reason, exitStatus: .badData)
            }
        }
        return text
    }

    private func binary(_ text: [UInt8], _ path: String) throws(MillError) -> PresentedReceipt {
        var buffer = ByteBuffer(capacity: text.count)
        let range = buffer.append(text)
        let isTooLong = text.count > limits.receiptBytes
        let fault = Unreadable(.malformedContainer, "more than \(limits.receiptBytes) bytes, see --max-receipt")
        let digest = try MillError.wrapping { () throws(OpenSSLError) in
            try MessageDigest().sha256(text.span, in: text.indices)
        }
        let decoded = DecodedDocument(line: 0, receipt: range, digest: digest)
        let document = PresentedDocument(content: isTooLong ? .failure(fault) : .success(decoded))
        return PresentedReceipt(path: path, line: nil, buffer: buffer, documents: [document])
    }

    /// Base64 or JSON without its line breaks, and without the lines that frame textual encoding (RFC 7468). A wrapped
    /// signed string is joined, since it can't contain white space.
    private static func onOneLine(_ text: [UInt8]) -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        if form(of: text) == .base64, text.contains(UInt8(ascii: ".")) { return text.filter { !isSpace($0) } }
        let frame = Array("-----".utf8)
        guard text.starts(with: frame) else { return text.map { $0 == newline ? 0x20 : $0 } }
        return Array(text.split(separator: newline).filter { !$0.starts(with: frame) }.joined(separator: [0x20]))
    }

    /// Whether the first of several lines of base64 is a whole receipt, and not the beginning of a wrapped one.
    private func beginsWithWholeLine(_ text: [UInt8], _ path: String) throws(MillError) -> Bool {
        let lines = text.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy(Self.isSpace) }
        guard lines.count > 1, case let first = try presenter.line(Array(lines[0]), path),
            case .success(let decoded) = first.content
        else {
            // A signed string has two full stops, so a text with more contains several strings.
            return text.count { $0 == UInt8(ascii: ".") } > 2
        }
        if decoded.signed != nil { return true }
        if first.buffer.holdsTransactionReceipt(decoded.receipt) {
            return first.buffer.bytes[decoded.receipt.indices].last { !Self.isSpace($0) } == UInt8(ascii: "}")
        }
        var reader = ByteReader(first.buffer.span, in: decoded.receipt)
        return (try? reader.readElement()) != nil && reader.isAtEnd
    }

    // MARK: JSON

    /// The receipt of a file that is one JSON value over several lines; nil for any other file.
    private func wholeDocument(_ text: [UInt8], _ path: String) throws(MillError) -> PresentedReceipt? {
        guard text.count <= limits.lineBytes, let firstLine = text.split(separator: UInt8(ascii: "\n")).first,
            firstLine.count < text.count
        else { return nil }
        let first = try presenter.line(Array(firstLine), path)
        guard case .failure(let fault) = first.content, fault.reason == .invalidJSON else { return nil }
        let whole = try presenter.line(Self.onOneLine(text), path)
        if case .failure(let fault) = whole.content, fault.reason == .invalidJSON { return nil }
        return whole
    }

    private func lines(
        of file: InputFile, _ path: String, _ body: (PresentedReceipt) throws -> Void
    ) throws {
        let batches = try NumberedBatches(of: file, limits: limits)
        while let batch = try batches.next() {
            for line in try presenter.lines(of: batch, of: path) { try body(line) }
        }
        try batches.requireUndamaged()
    }
}
