internal import MillJSON
package import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Reads decoded lines (docs/decode-format.md) back into what the loader takes.
///
/// Every worker has its own. The values of the lines are trusted, their form is not:
/// what would break a promise of the database is a fault.
package struct DecodedLineParser {
    /// The content of one line.
    private struct Line {
        var archive: ArchiveID?
        var number: Int64?
        var isLast = false
        var submission: DecodedObjects.Submission?
        var receipt: VerifiedReceipt?
        var purchases: Range<Int>?
        var rejection: Unreadable?
        var rejectedLine: [UInt8]?
    }

    private var objects: DecodedObjects
    private var lineKeys = DecodedKeys.Line.table
    private var archiveKeys = DecodedKeys.Archive.table
    /// The archive that was read last, and its text: thousands of lines have it.
    private var lastArchive: (text: [UInt8], id: ArchiveID)?

    private let keepsRejectedLines: Bool

    /// - Parameters:
    ///   - keepsReceipts: whether every receipt has to be there whole.
    ///   - keepsRejectedLines: whether rejected lines that are there are wanted.
    package init(keepsReceipts: Bool, keepsRejectedLines: Bool) throws(MillError) {
        self.keepsRejectedLines = keepsRejectedLines
        objects = try MillError.wrapping { () throws(OpenSSLError) in
            try DecodedObjects(keepsReceipts: keepsReceipts)
        }
    }

    /// Reads a batch up to its first fault.
    ///
    /// - Parameter namesArchives: whether lines have to name their archive, or
    ///   must not.
    package mutating func parse(_ batch: LineBatch, namesArchives: Bool) -> DecodedBatch {
        var decoded = DecodedBatch()
        guard case .lines(let text) = batch.content else {
            decoded.fault = InvalidJSON(what: "the line is longer than --max-line allows", offset: 0)
            return decoded
        }
        objects.begin(capacity: text.count)
        var start = 0
        do throws(InvalidJSON) {
            while start < text.count {
                let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
                let end = newline ?? text.count
                try add(try parse(text, start..<end), sequence: batch.sequence, namesArchives, to: &decoded)
                decoded.lineCount += 1
                start = end + 1
            }
        } catch {
            decoded.fault = error
        }
        objects.end(&decoded)
        return decoded
    }

    /// Whether a line names its archive; nil where it is no decoded line.
    package mutating func namesArchive(_ text: [UInt8]) -> Bool? {
        objects.begin(capacity: text.count)
        guard let line = try? parse(text, text.indices) else { return nil }
        return line.archive != nil
    }

    private mutating func add(
        _ line: Line, sequence: Int, _ namesArchives: Bool, to decoded: inout DecodedBatch
    ) throws(InvalidJSON) {
        try require(
            namesArchives == (line.archive != nil),
            namesArchives
                ? "the line names no archive, and the file's first line does"
                : "the line names an archive, and the file's first line does not")
        // All that can be wrong is found before anything is added.
        var presented: (submission: DecodedObjects.Submission, receipt: VerifiedReceipt)?
        if let submission = line.submission, let receipt = line.receipt, let purchases = line.purchases {
            try require(
                decoded.naming == nil || decoded.naming == submission.naming,
                "devices are named by another key than on the lines before")
            presented = (submission, try objects.verified(receipt, purchases))
        }
        let number = line.number ?? 1
        let continues = decoded.runs.last.map { run in
            !run.isLast && run.archive == line.archive && (line.archive == nil || run.nextLine == number)
        }
        if continues != true {
            decoded.runs.append(
                DecodedBatch.Run(archive: line.archive, firstLine: number, verified: VerifiedBatch(sequence: sequence)))
        }
        let last = decoded.runs.count - 1
        let position = decoded.runs[last].verified.lineCount
        if let rejection = line.rejection {
            decoded.runs[last].verified.rejections.append(
                Rejection(line: position, cause: rejection, content: keepsRejectedLines ? line.rejectedLine : nil))
        } else if let (submission, receipt) = presented {
            decoded.naming = submission.naming
            decoded.runs[last].verified.submissions.append(submission.verified(line: position, receipt.digest))
            decoded.runs[last].verified.receipts.append(receipt)
        }
        decoded.runs[last].verified.lineCount += 1
        decoded.runs[last].isLast = line.isLast
    }

    private mutating func parse(_ text: [UInt8], _ range: Range<Int>) throws(InvalidJSON) -> Line {
        var cursor = try JSONCursor(line: text.span, range)
        cursor.skipWhitespace()
        var line = Line()
        var schema: Int64?
        var isFirst = true
        var seen = KeysSeen()
        while let key = try lineKeys.nextKey(of: &cursor, &isFirst, depth: 1) {
            try seen.insert(lineKeys.last, cursor)
            switch key {
            case .schema: schema = try cursor.readInteger()
            case .archive: line.archive = try archive(&cursor)
            case .line: line.number = try cursor.readInteger()
            case .last: line.isLast = try cursor.readFlag()
            case .submission: line.submission = try objects.submission(&cursor)
            case .receipt: line.receipt = try objects.receipt(&cursor)
            case .purchases: line.purchases = try objects.purchases(&cursor)
            case .rejection: (line.rejection, line.rejectedLine) = try objects.rejection(&cursor)
            }
        }
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        try Self.check(line, schema: schema)
        return line
    }

    private static func check(_ line: Line, schema: Int64?) throws(InvalidJSON) {
        try require(
            schema == DecodedKeys.schema,
            schema.map { "the line is of schema \($0), and this version reads \(DecodedKeys.schema)" }
                ?? "the line is not of decode's format: it has no schema")
        let parts = [line.submission != nil, line.receipt != nil, line.purchases != nil]
        try require(
            line.rejection == nil ? !parts.contains(false) : !parts.contains(true),
            "the line has to hold either submission, receipt and purchases, or rejection")
        try require((line.archive == nil) == (line.number == nil), "archive and line stand together or not at all")
        // A submission's number has 32 bits for its line.
        try require((1...Int64(UInt32.max)).contains(line.number ?? 1), "the line's number is out of range")
        try require(!line.isLast || line.archive != nil, "a line without an archive can't be its last")
    }

    private mutating func archive(_ cursor: inout JSONCursor) throws(InvalidJSON) -> ArchiveID {
        var probe = cursor
        let whole = try probe.readValue(depth: 1).range
        if let (text, id) = lastArchive, ByteSearch.isEqual(cursor.bytes, whole, text) {
            cursor = probe
            return id
        }
        var name: String?
        var sha256: SHA256Digest?
        var size: Int64?
        var isFirst = true
        while let key = try archiveKeys.nextKey(of: &cursor, &isFirst, depth: 2) {
            switch key {
            case .name: name = try objects.string(&cursor)
            case .sha256: sha256 = try objects.digest(&cursor)
            case .bytes: size = try cursor.readInteger()
            }
        }
        guard let name, let sha256, let size, size >= 0 else {
            throw cursor.failure("archive has to have a name, a sha256 and bytes")
        }
        let id = ArchiveID(name: name, sha256: sha256, bytes: size)
        lastArchive = (cursor.bytes.extracting(whole).withUnsafeBufferPointer { Array($0) }, id)
        return id
    }
}

/// Keys of an object that were read, by their index: each may occur once.
struct KeysSeen {
    private var bits: UInt64 = 0

    mutating func insert(_ index: Int, _ cursor: borrowing JSONCursor) throws(InvalidJSON) {
        let bit: UInt64 = 1 << UInt64(index)
        guard bits & bit == 0 else { throw cursor.failure("a key stands twice") }
        bits |= bit
    }
}
