internal import MillBytes
internal import MillJSON
package import ReceiptArchive
package import ReceiptFormat
package import ReceiptTrust
package import SignedDataFormat

/// A decoded document of a line, before it is known whether the document is new.
package struct DecodedDocument {
    /// The index of the line in its batch.
    package let line: Int
    /// The number of the document in its line, from 1. A document inside another one has the number of that one.
    package var number = 1
    /// The receipt's bytes, or the characters of the signed string, in the buffer into which the line was decoded.
    package let receipt: ByteRange
    package let digest: SHA256Digest
    /// The content of a signed string; nil for a receipt.
    package var signed: SignedDocument?
    /// Whether the document, or one inside it, names a person.
    package var statesPerson = false
    /// The document that contains this one, and this one's place in it; nil if the document is directly in the line.
    package var holder: (digest: SHA256Digest, part: SignedPart)?
    package var context = LineContext()

    package init(line: Int, receipt: ByteRange, digest: SHA256Digest) {
        (self.line, self.receipt, self.digest) = (line, receipt, digest)
    }
}

/// Decodes lines into documents: scans JSON, decodes base64, computes digests, reads the JSON of signed strings.
package struct LineDecoder {
    private let scanner: SubmissionScanner
    private let limits: Limits
    private let digest: MessageDigest
    private let signed: SignedStringReader
    private let erasedLines: ErasedLines
    /// The size in bytes of a line with a receipt of a few purchases.
    private static let usualLineBytes = 4 << 10

    /// - Parameter erasedLines: lines that are rejected without being read.
    package init(keys: LineKeys, limits: Limits, erasedLines: ErasedLines = ErasedLines()) throws(OpenSSLError) {
        self.erasedLines = erasedLines
        scanner = SubmissionScanner(keys: keys)
        self.limits = limits
        digest = try MessageDigest()
        signed = try SignedStringReader()
    }

    /// Decodes the lines of `text` into `buffer`. Lines and documents that can't be decoded become rejections of
    /// `verified`, which counts all lines.
    ///
    /// - Returns: documents in the order of the lines, each followed by those inside it.
    package func decode(
        _ text: [UInt8], header: TableHeader? = nil, rejecting rejected: [Int: Unreadable] = [:],
        into buffer: inout ByteBuffer, counting verified: inout VerifiedBatch
    ) throws(OpenSSLError) -> [DecodedDocument] {
        var decoded: [DecodedDocument] = []
        decoded.reserveCapacity(text.count / Self.usualLineBytes)
        let table = scanner.table(header)
        var start = 0
        while start < text.count {
            let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
            let line = start..<(newline ?? text.count)
            var scanned: ScannedLine?
            if table?.isHeader(text.span, line) == true {
                verified.rejections.append(.header(line: verified.lineCount))
            } else if try erasedLines.contains(text.span, line, digest) {
                verified.rejections.append(.erased(line: verified.lineCount))
            } else if let cause = rejected[verified.lineCount] {
                verified.rejections.append(Rejection(line: verified.lineCount, cause: cause))
            } else {
                do throws(Unreadable) {
                    scanned = try scan(text, line, table)
                } catch {
                    verified.rejections.append(Rejection(line: verified.lineCount, cause: error))
                }
            }
            if let scanned { try decode(scanned, of: text, line, &buffer, &decoded, &verified) }
            verified.lineCount += 1
            start = line.upperBound + 1
        }
        return decoded
    }

    /// The table of an archive; nil if its lines are not rows.
    package func table(_ header: TableHeader?) -> LineTable? { scanner.table(header) }

    /// Decodes a document that is not part of a line, and counts it as a line: a signed string, a receipt's bytes, or
    /// base64 of a receipt, with or without surrounding white space. A document that can't be decoded becomes a
    /// rejection of `verified`.
    func decode(
        document text: Span<UInt8>, into buffer: inout ByteBuffer, _ decoded: inout [DecodedDocument],
        counting verified: inout VerifiedBatch
    ) throws(OpenSSLError) {
        let line = verified.lineCount
        verified.lineCount += 1
        switch try decodeDocument(text, line, into: &buffer) {
        case .failure(let cause): verified.rejections.append(Rejection(line: line, cause: cause))
        case .success(let document):
            decoded.append(document)
            guard let signed = document.signed, signed.payload.kind == .notification else { return }
            var faults = LineFaults()
            try decodeParts(of: document, signed, into: &buffer, &decoded, &faults, &verified)
            faults.end(&verified)
        }
    }

    private func decodeDocument(
        _ text: Span<UInt8>, _ line: Int, into buffer: inout ByteBuffer
    ) throws(OpenSSLError) -> Result<DecodedDocument, Unreadable> {
        guard text.count <= limits.lineBytes else { return .failure(overlong(text.count)) }
        let reader = ByteReader(text)
        if reader.beginsWithContainer || reader.beginsWithPropertyList {
            return try receipt(buffer.append(text, in: text.indices), line, buffer)
        }
        return try decode(text, text.indices, line, into: &buffer)
    }

    package func overlong(_ bytes: Int) -> Unreadable {
        Unreadable(.lineTooLong, "\(bytes) bytes where \(limits.lineBytes) are allowed")
    }

    private func scan(
        _ text: [UInt8], _ line: Range<Int>, _ table: LineTable?
    ) throws(Unreadable) -> ScannedLine {
        guard line.count <= limits.lineBytes else { throw overlong(line.count) }
        let scanned = try scanner.scan(text.span, line, table: table)
        guard scanned.documentCount <= ScannedLine.maximumDocuments else {
            throw Unreadable(
                .lineTooLong,
                "\(scanned.documentCount) documents where \(ScannedLine.maximumDocuments) are allowed")
        }
        if scanned.documents.count > 1 {
            // A device or an account is stored once for each document.
            let bytes = scanned.documents.reduce(0) { $0 + $1.context.size }
            guard bytes <= limits.lineBytes else {
                throw Unreadable(
                    .lineTooLong,
                    "\(bytes) bytes of devices and accounts of \(scanned.documents.count) documents where "
                        + "\(limits.lineBytes) are allowed")
            }
        }
        return scanned
    }

    /// Decodes the documents of a line. If a document occurs several times in the line, it counts once.
    private func decode(
        _ scanned: ScannedLine, of text: [UInt8], _ range: Range<Int>, _ buffer: inout ByteBuffer,
        _ decoded: inout [DecodedDocument], _ verified: inout VerifiedBatch
    ) throws(OpenSSLError) {
        let line = verified.lineCount
        let first = decoded.count
        let isAlone = scanned.documents.count == 1
        var contexts = LineContextCopier()
        var unreadable: Set<SHA256Digest> = []
        var faults = LineFaults()
        var number = 0
        for found in scanned.documents {
            let buffered = scanned.buffer(of: found.value, in: text)
            switch try decode(found, of: buffered, line, into: &buffer) {
            case .success(var document):
                if !isAlone, decoded[first...].contains(where: { $0.holder == nil && $0.key == document.key }) {
                    continue
                }
                number += 1
                document.number = number
                document.context = contexts.context(found.context, of: scanned, text, in: &buffer)
                decoded.append(document)
                if let signed = document.signed, signed.payload.kind == .notification {
                    try decodeParts(of: document, signed, into: &buffer, &decoded, &faults, &verified)
                }
            case .failure(let cause):
                if !isAlone {
                    let digest = try digest.sha256(buffered.span, in: found.value.token.range)
                    guard unreadable.insert(digest).inserted else { continue }
                }
                // A rejection that is not kept gets no number, so that numbers have no gaps.
                let named = faults.isFull ? cause : scanned.fault(cause, of: found, in: text.span, range)
                if faults.add(Rejection(line: line, document: number + 1, cause: named), to: &verified) { number += 1 }
            }
        }
        faults.end(&verified)
        if number > 0, scanned.documents.contains(where: { $0.context.isOneOfTwoAccounts }) {
            verified.linesWithTwoAccounts += 1
        }
    }

    /// The unreadable documents of a line: the first few as rejections, and the number of the others.
    private struct LineFaults {
        private var count = 0
        /// The index of the last kept rejection of the line in the batch's rejections.
        private var last = 0

        /// Whether further rejections are only counted.
        var isFull: Bool { count >= Rejection.maximumCountOfLine }

        /// - Returns: whether the rejection is kept.
        mutating func add(_ rejection: Rejection, to verified: inout VerifiedBatch) -> Bool {
            count += 1
            guard count <= Rejection.maximumCountOfLine else { return false }
            last = verified.rejections.count
            verified.rejections.append(rejection)
            return true
        }

        func end(_ verified: inout VerifiedBatch) {
            guard count > Rejection.maximumCountOfLine else { return }
            verified.rejections[last].count(furtherDocuments: count - Rejection.maximumCountOfLine)
        }
    }

    private func decode(
        _ found: ScannedDocument, of text: [UInt8], _ line: Int, into buffer: inout ByteBuffer
    ) throws(OpenSSLError) -> Result<DecodedDocument, Unreadable> {
        if let fault = found.fault { return .failure(fault) }
        let characters = found.value.token.range
        // A header that is cut before its full stop would be mistaken for base64.
        if let first = characters.first, text[first] == UInt8(ascii: "e"),
            !SignedString.isSignedString(text.span, in: characters),
            TextForm.cutDocument(text.span, characters) == "a signed string"
        {
            return .failure(
                Unreadable(.malformedContainer, "a signed string has three parts, and this has fewer"))
        }
        return try decode(text.span, characters, line, into: &buffer)
    }

    /// Decodes a signed string or base64 of a receipt; surrounding white space is ignored.
    private func decode(
        _ text: Span<UInt8>, _ range: Range<Int>, _ line: Int, into buffer: inout ByteBuffer
    ) throws(OpenSSLError) -> Result<DecodedDocument, Unreadable> {
        let range = WhiteSpace.trimmed(range, of: text)
        guard !range.isEmpty else { return .failure(Unreadable(.noReceipt, "nothing is there")) }
        if SignedString.isSignedString(text, in: range) {
            return try signedDocument(buffer.append(text, in: range), line, buffer)
        }
        guard let receipt = buffer.appendBase64(text, in: range) else {
            return .failure(Unreadable(.invalidBase64, Base64Fault.description(range.map { text[$0] })))
        }
        return try self.receipt(receipt, line, buffer)
    }

    private func receipt(
        _ receipt: ByteRange, _ line: Int, _ buffer: ByteBuffer
    ) throws(OpenSSLError) -> Result<DecodedDocument, Unreadable> {
        guard receipt.count <= limits.receiptBytes else {
            return .failure(
                Unreadable(.malformedContainer, "\(receipt.count) bytes where \(limits.receiptBytes) are allowed"))
        }
        return .success(
            DecodedDocument(
                line: line, receipt: receipt, digest: try digest.sha256(buffer.span, in: receipt.indices)))
    }

    /// Reads a single signed string; surrounding white space is ignored.
    package func signedDocument(
        _ text: ByteRange, _ line: Int, _ buffer: ByteBuffer
    ) throws(OpenSSLError) -> Result<DecodedDocument, Unreadable> {
        let characters = ByteRange(WhiteSpace.trimmed(text.indices, of: buffer.span))
        switch try signed.read(buffer.span, in: characters.indices) {
        case .success(let read):
            // Documents from the database were accepted before, so for them the verdict reports this.
            guard read.document.signature != nil else {
                return .failure(Unreadable(.malformedContainer, "the signature is no base64url without padding"))
            }
            var document = DecodedDocument(line: line, receipt: characters, digest: read.digest)
            document.signed = read.document
            document.statesPerson = read.document.payload.statesPerson
            return .success(document)
        case .failure(let cause): return .failure(cause)
        }
    }

    /// Reads the documents in a notification, one level deep. An unreadable one becomes a rejection with the
    /// notification's number; the notification itself remains valid.
    private func decodeParts(
        of holder: DecodedDocument, _ signed: SignedDocument, into buffer: inout ByteBuffer,
        _ decoded: inout [DecodedDocument], _ faults: inout LineFaults, _ verified: inout VerifiedBatch
    ) throws(OpenSSLError) {
        var fault: Unreadable?
        let bytes = signed.bytes
        let holderIndex = decoded.count - 1
        for (part, text) in signed.payload.parts {
            let characters = buffer.append(bytes.span, in: text.indices)
            switch try signedDocument(characters, holder.line, buffer) {
            case .success(var document):
                document.number = holder.number
                document.holder = (holder.digest, part)
                if document.statesPerson { decoded[holderIndex].statesPerson = true }
                decoded.append(document)
            case .failure(let cause):
                fault = fault ?? Unreadable(cause.reason, "the \(part.rawValue) that it holds: \(cause.detail)")
            }
        }
        if let fault {
            // An unreadable document may name a person, too.
            decoded[holderIndex].statesPerson = true
            _ = faults.add(Rejection(line: holder.line, document: holder.number, cause: fault), to: &verified)
        }
    }
}
