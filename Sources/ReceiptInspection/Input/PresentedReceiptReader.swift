internal import MillJSON
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Reads receipts out of a file that may hold one or many, in any of the forms in
/// which people pass them on.
struct PresentedReceiptReader {
    /// The form of a file, recognised by its content.
    enum Form: Equatable {
        /// A receipt's own bytes.
        case binary
        /// Base64: of one receipt on one line or wrapped, or of one on each line.
        case base64
        /// JSON, on one line each or spread over all.
        case json
    }

    private let decoder: LineDecoder
    private let limits: Limits
    private let digest: MessageDigest
    /// Finds receipts whose base64 is damaged; nil where they are not wanted.
    private let salvager: SubmissionScanner?

    /// - Parameter isSalvaging: of base64 that is cut short, read what can be decoded.
    init(keys: LineKeys, limits: Limits, isSalvaging: Bool = false) throws(MillError) {
        self.limits = limits
        salvager = isSalvaging ? SubmissionScanner(keys: keys) : nil
        (decoder, digest) = try MillError.wrapping { () throws(OpenSSLError) in
            (try LineDecoder(keys: keys, limits: limits), try MessageDigest())
        }
    }

    /// Gives every receipt of some files to `body`, in order, and whether it is the only one.
    ///
    /// - Returns: files that can't be read; the others were.
    /// - Throws: what `body` throws, and ``MillError`` for an internal fault.
    func forEach(
        in inputs: [String], _ body: (_ presented: PresentedReceipt, _ isOnly: Bool) throws -> Void
    ) throws -> [MillError] {
        var failures: [MillError] = []
        var count = 0
        // The first waits until it is known whether another follows.
        var first: PresentedReceipt?
        for path in inputs {
            var bodyError: (any Error)?
            do {
                try read(path) { presented in
                    count += 1
                    if count == 1, inputs.count == 1 {
                        first = presented
                        return
                    }
                    do {
                        if let waiting = first.take() { try body(waiting, false) }
                        try body(presented, false)
                    } catch {
                        bodyError = error
                        throw error
                    }
                }
            } catch let failure as MillError where bodyError == nil {
                failures.append(failure)
            }
        }
        if let only = first { try body(only, count == 1) }
        return failures
    }

    /// Gives every receipt of a file to `body`, in the file's order.
    ///
    /// - Throws: ``MillError`` where the file can't be read, or is damaged gzip;
    ///   what `body` throws.
    func read(_ path: String, _ body: (PresentedReceipt) throws -> Void) throws {
        let file = try InputFile(path: path)
        let text = try beginning(of: file)
        let whole: PresentedReceipt?
        switch Self.form(of: text) {
        case .binary: whole = try binary(text, path)
        case .base64: whole = try beginsWithWholeLine(text, path) ? nil : line(Self.onOneLine(text), path, number: nil)
        case .json: whole = try wholeDocument(text, path)
        }
        if let whole { return try body(whole) }
        try file.rewind()
        try lines(of: file, path, body)
    }

    /// Recognises the form of a file by its first bytes.
    static func form(of text: [UInt8]) -> Form {
        let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
        let head = text[start...].prefix(512)
        switch head.first {
        case nil: return .base64
        // A mark of byte order, which some editors put before JSON.
        case 0xef: return .json
        case UInt8(ascii: "{"): return isPropertyList(text[start...]) ? .binary : .json
        case UInt8(ascii: "\""): return .json
        default:
            let isText = head.allSatisfy { (0x20..<0x7f).contains($0) || isSpace($0) }
            return isText ? .base64 : .binary
        }
    }

    /// A NeXTSTEP property list: an equals sign follows the first key, where JSON
    /// has a colon. Comments may stand around the key.
    private static func isPropertyList(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = skippingComments(text.dropFirst())
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            while let character = rest.popFirst(), character != UInt8(ascii: "\"") {
                if character == UInt8(ascii: "\\") { rest = rest.dropFirst() }
            }
        } else {
            rest = rest.drop { !isSpace($0) && !"=/:\"".utf8.contains($0) }
        }
        return skippingComments(rest).first == UInt8(ascii: "=")
    }

    private static func skippingComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text.drop(while: isSpace)
        while rest.first == UInt8(ascii: "/") {
            if rest.dropFirst().first == UInt8(ascii: "*") {
                let end = rest.dropFirst(2).firstRange(of: Array("*/".utf8))?.upperBound ?? rest.endIndex
                rest = rest[end...]
            } else {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            }
            rest = rest.drop(while: isSpace)
        }
        return rest
    }

    private static func isSpace(_ character: UInt8) -> Bool {
        character == 0x20 || (0x09...0x0d).contains(character)
    }

    // MARK: One receipt

    /// As much of a file as any form may have: of bytes that make a receipt
    /// `receiptBytes`, of text `lineBytes`; one more tells that it goes on.
    private func beginning(of file: InputFile) throws(MillError) -> [UInt8] {
        let greatest = max(limits.lineBytes, limits.receiptBytes)
        var source = try ByteSource(file: file, inflationLimit: limits.inflation)
        var text: [UInt8] = []
        let step = 1 << 16
        while text.count <= greatest {
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
        guard text.count <= limits.receiptBytes else {
            let fault = Unreadable(.malformedContainer, "more than \(limits.receiptBytes) bytes, see --max-receipt")
            return PresentedReceipt(path: path, line: nil, buffer: buffer, content: .failure(fault))
        }
        let sha256 = try MillError.wrapping { () throws(OpenSSLError) in
            try digest.sha256(buffer.span, in: range.indices)
        }
        let decoded = DecodedDocument(line: 0, receipt: range, digest: sha256)
        return PresentedReceipt(path: path, line: nil, buffer: buffer, content: .success(decoded))
    }

    /// Base64 or JSON without its line breaks, and without the lines that frame
    /// it in textual encoding (RFC 7468). A signed string that is wrapped is joined:
    /// white space can't stand in one.
    private static func onOneLine(_ text: [UInt8]) -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        if form(of: text) == .base64, text.contains(UInt8(ascii: ".")) { return text.filter { !isSpace($0) } }
        let frame = Array("-----".utf8)
        guard text.starts(with: frame) else { return text.map { $0 == newline ? 0x20 : $0 } }
        return Array(text.split(separator: newline).filter { !$0.starts(with: frame) }.joined(separator: [0x20]))
    }

    /// Whether a text has more full stops than a signed string.
    private func holdsSeveralSignedStrings(_ text: [UInt8]) -> Bool {
        text.count { $0 == UInt8(ascii: ".") } > 2
    }

    /// Whether the first of several lines of base64 is a receipt by itself, not the
    /// beginning of one that is wrapped.
    private func beginsWithWholeLine(_ text: [UInt8], _ path: String) throws(MillError) -> Bool {
        let lines = text.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy(Self.isSpace) }
        guard lines.count > 1, case let first = try line(Array(lines[0]), path, number: nil),
            case .success(let decoded) = first.content
        else { return holdsSeveralSignedStrings(text) }
        if decoded.signed != nil { return true }
        if first.buffer.holdsTransactionReceipt(decoded.receipt) {
            return first.buffer.bytes[decoded.receipt.indices].last { !Self.isSpace($0) } == UInt8(ascii: "}")
        }
        var reader = ByteReader(first.buffer.span, in: decoded.receipt)
        return (try? reader.readElement()) != nil && reader.isAtEnd
    }

    // MARK: JSON

    /// The only receipt of a file that is one JSON value over several lines; nil
    /// where it isn't.
    private func wholeDocument(_ text: [UInt8], _ path: String) throws(MillError) -> PresentedReceipt? {
        guard text.count <= limits.lineBytes, let firstLine = text.split(separator: UInt8(ascii: "\n")).first,
            firstLine.count < text.count
        else { return nil }
        let first = try line(Array(firstLine), path, number: nil)
        guard case .failure(let fault) = first.content, fault.reason == .invalidJSON else { return nil }
        let whole = try line(Self.onOneLine(text), path, number: nil)
        if case .failure(let fault) = whole.content, fault.reason == .invalidJSON { return nil }
        return whole
    }

    private func lines(
        of file: InputFile, _ path: String, _ body: (PresentedReceipt) throws -> Void
    ) throws {
        var reader = try ArchiveReader(file: file, limits: limits)
        var number = 0
        while let content = try reader.next() {
            switch content {
            case .overlongLine(let bytes):
                number += 1
                try body(
                    PresentedReceipt(
                        path: path, line: number, buffer: ByteBuffer(capacity: 0),
                        content: .failure(decoder.overlong(bytes))))
            case .lines(let text):
                var start = 0
                while start < text.count {
                    let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
                    number += 1
                    try body(try line(Array(text[start..<end]), path, number: number))
                    start = end + 1
                }
            }
        }
        if let damage = reader.damage {
            throw MillError(stage: .reading, path: path, what: damage, exitStatus: .badData)
        }
    }

    private func line(_ text: [UInt8], _ path: String, number: Int?) throws(MillError) -> PresentedReceipt {
        var buffer = ByteBuffer(capacity: text.count)
        var verified = VerifiedBatch(sequence: 0)
        let decoded = try MillError.wrapping { () throws(OpenSSLError) in
            try decoder.decode(text, into: &buffer, counting: &verified)
        }
        var lines = DocumentsByLine(decoded, verified.rejections)
        let contents = lines.next(line: 0)
        let signed = salvager.map { SignedStringSalvage(text, scanner: $0) }
        let documents = contents.enumerated().map { index, content in
            var document = PresentedDocument(content: content)
            if let characters = signed?.characters(ofDocument: index, of: contents.count, read: content) {
                document.characters = buffer.append(characters)
            }
            return document
        }
        if documents.count == 1, documents[0].characters == nil, case .failure(let fault) = contents[0],
            fault.reason == .invalidBase64, let part = try salvage(text, path, number, fault)
        {
            return part
        }
        return PresentedReceipt(path: path, line: number, buffer: buffer, documents: documents)
    }

    /// The beginning of a receipt: what whole groups of four characters before
    /// the fault decode to.
    private func salvage(
        _ text: [UInt8], _ path: String, _ number: Int?, _ fault: Unreadable
    ) throws(MillError) -> PresentedReceipt? {
        guard let token = try? salvager?.scan(text.span, text.indices).documents.first, !token.hasEscapes else {
            return nil
        }
        let characters = text[token.range].filter { !Self.isSpace($0) }.prefix { $0 != UInt8(ascii: "=") }
        let groups = Array(characters.prefix(characters.count / 4 * 4))
        var buffer = ByteBuffer(capacity: groups.count)
        guard !groups.isEmpty, let range = buffer.appendBase64(groups.span, in: groups.indices) else { return nil }
        let part = try binary(Array(buffer.bytes[range.indices]), path)
        let damage = Unreadable(
            fault.reason, "\(fault.detail): only its first \(groups.count) characters, \(range.count) bytes, are read")
        return PresentedReceipt(
            path: path, line: number, buffer: part.buffer, content: part.content, damage: damage)
    }
}
