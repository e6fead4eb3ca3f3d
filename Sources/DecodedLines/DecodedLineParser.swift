internal import MillBytes
internal import MillJSON
package import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Reads decoded lines (docs/decode-format.md) into batches for the loader.
///
/// Every worker has its own parser. The values of the lines are trusted, but not their form: a line that would violate
/// an invariant of the database is a fault.
package struct DecodedLineParser {
    private let checks: LineChecks
    private let keepsRejectedLines: Bool
    /// The worker's contents; nil while a reader holds them.
    private var contents: BatchContents? = BatchContents()

    /// - Parameters:
    ///   - keepsReceipts: whether every receipt has to be complete in its line.
    ///   - keepsRejectedLines: whether the texts of rejected lines are kept.
    package init(keepsReceipts: Bool, keepsRejectedLines: Bool) throws(MillError) {
        self.keepsRejectedLines = keepsRejectedLines
        checks = try MillError.wrapping { () throws(OpenSSLError) in try LineChecks(keepsReceipts: keepsReceipts) }
    }

    /// Reads a batch up to its first fault.
    ///
    /// - Parameter namesArchives: whether every line has to name its archive; otherwise no line may.
    package mutating func parse(_ batch: LineBatch, namesArchives: Bool) -> DecodedBatch {
        var decoded = DecodedBatch()
        guard case .lines(let text) = batch.content else {
            decoded.fault = InvalidJSON(what: "the line is longer than --max-line allows", offset: 0)
            return decoded
        }
        var reader = reader(of: text.span)
        var start = 0
        do throws(InvalidJSON) {
            while start < text.count {
                let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
                let end = newline ?? text.count
                var line = try Self.read(text.span, start..<end, &reader)
                try checks.check(&line, namesArchives: namesArchives, &decoded.naming, &reader.contents)
                add(line, sequence: batch.sequence, to: &decoded)
                start = end + 1
            }
        } catch {
            decoded.fault = error
        }
        reader.contents.end(&decoded)
        contents = reader.contents
        return decoded
    }

    /// Whether the first line of a text names its archive; nil if it is not a decoded line.
    package mutating func namesArchive(_ text: [UInt8]) -> Bool? {
        let end = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, 0..<text.count) ?? text.count
        var reader = reader(of: text.span)
        defer { contents = reader.contents }
        return (try? Self.read(text.span, 0..<end, &reader)).map { $0.archive != nil }
    }

    @_lifetime(copy text)
    private mutating func reader(of text: Span<UInt8>) -> MemberReader {
        var contents = self.contents.take() ?? BatchContents()
        contents.begin(textCount: text.count)
        return MemberReader(JSONCursor(text, in: 0..<0, mayHoldControls: true), into: contents)
    }

    @_lifetime(reader: copy text, copy reader)
    private static func read(
        _ text: Span<UInt8>, _ range: Range<Int>, _ reader: inout MemberReader
    ) throws(InvalidJSON) -> DecodedLine {
        reader.begin(try JSONCursor(line: text, range))
        var line = DecodedLine()
        try reader.read(&line)
        try reader.endLine()
        try line.checkForm()
        return line
    }

    private func add(_ line: DecodedLine, sequence: Int, to decoded: inout DecodedBatch) {
        let number = line.number ?? 1
        let continues = decoded.runs.last.map { run in
            !run.isLast && run.archive == line.archive && (line.archive == nil || run.nextLine == number)
        }
        if continues != true {
            decoded.runs.append(
                DecodedBatch.Run(archive: line.archive, firstLine: number, verified: VerifiedBatch(sequence: sequence)))
        }
        let last = decoded.runs.count - 1
        add(line.first, to: &decoded.runs[last].verified)
        for other in line.others { add(other, to: &decoded.runs[last].verified) }
        decoded.runs[last].verified.lineCount += 1
        decoded.runs[last].isLast = line.isLast == true
        decoded.lineCount += 1
    }

    /// Adds a document of the current line to a batch.
    private func add(_ document: LineDocument, to batch: inout VerifiedBatch) {
        let (line, number) = (batch.lineCount, Int(document.number ?? 1))
        if let rejection = document.rejection, let reason = rejection.reason {
            batch.rejections.append(
                Rejection(
                    line: line, document: number, cause: Unreadable(reason, rejection.detail ?? ""),
                    content: keepsRejectedLines ? rejection.line : nil))
        } else if let submission = document.submission, let deviceCheck = submission.deviceCheck,
            let receipt = document.statement.verified
        {
            batch.submissions.append(
                VerifiedSubmission(
                    line: line, document: number, receipt: receipt.digest, storedReceipt: nil,
                    device: submission.device, account: submission.account, submittedAt: submission.submittedAt,
                    deviceCheck: deviceCheck))
            batch.receipts.append(receipt)
            for held in document.parts {
                guard let part = held.part, let document = held.statement.verified else { continue }
                batch.receipts.append(document)
                batch.parts.append(VerifiedPart(holder: receipt.digest, part: part, document: document.digest))
            }
        }
    }
}
