internal import MillJSON
package import MillSystem
package import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

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
        var first = ReadDocument()
        /// The documents behind the first, and what can't be read of one that is a submission.
        var others: [ReadDocument] = []
    }

    private var objects: DecodedObjects
    private var lineKeys = DecodedKeys.Line.table
    private var documentKeys = DecodedKeys.Document.table
    private var partKeys = DecodedKeys.Part.table
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
                var line = try parse(text, start..<end)
                try add(&line, sequence: batch.sequence, namesArchives, to: &decoded)
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
        _ line: inout Line, sequence: Int, _ namesArchives: Bool, to decoded: inout DecodedBatch
    ) throws(InvalidJSON) {
        try require(
            namesArchives == (line.archive != nil),
            namesArchives
                ? "the line names no archive, and the file's first line does"
                : "the line names an archive, and the file's first line does not")
        // All that can be wrong is found before anything is added.
        var naming = decoded.naming
        try verify(&line.first, &naming)
        for index in line.others.indices { try verify(&line.others[index], &naming) }
        decoded.naming = naming
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
        decoded.runs[last].isLast = line.isLast
    }

    private mutating func verify(
        _ document: inout ReadDocument, _ naming: inout DecodedBatch.Naming?
    ) throws(InvalidJSON) {
        guard let submission = document.submission else { return }
        try require(
            naming == nil || naming == submission.naming,
            "devices are named by another key than on the lines before")
        naming = submission.naming
        try objects.verify(&document, isNamed: submission.naming != .none)
    }

    /// Adds a document of the line behind those that a batch holds.
    private func add(_ document: ReadDocument, to batch: inout VerifiedBatch) {
        let (line, number) = (batch.lineCount, Int(document.number))
        if let rejection = document.rejection {
            batch.rejections.append(
                Rejection(
                    line: line, document: number, cause: rejection,
                    content: keepsRejectedLines ? document.rejectedLine : nil))
        } else if let submission = document.submission, let receipt = document.statement.receipt {
            batch.submissions.append(submission.verified(line: line, document: number, receipt.digest))
            batch.receipts.append(receipt)
            for (part, statement) in document.parts {
                guard let held = statement.receipt else { continue }
                batch.receipts.append(held)
                batch.parts.append(VerifiedPart(holder: receipt.digest, part: part, document: held.digest))
            }
        }
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
            case .submission: line.first.submission = try objects.submission(&cursor)
            case .receipt: line.first.statement.receipt = try objects.receipt(&cursor)
            case .purchases: line.first.statement.purchases = try objects.purchases(&cursor)
            case .terms: try objects.readSigned(.terms, &cursor, into: &line.first.statement)
            case .renewal: try objects.readSigned(.renewal, &cursor, into: &line.first.statement)
            case .appTransaction: try objects.readSigned(.appTransaction, &cursor, into: &line.first.statement)
            case .notification: try objects.readSigned(.notification, &cursor, into: &line.first.statement)
            case .parts: line.first.parts = try parts(&cursor)
            case .rejection: (line.first.rejection, line.first.rejectedLine) = try objects.rejection(&cursor)
            case .documents: line.others = try documents(&cursor)
            }
        }
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        try Self.check(line, schema: schema)
        return line
    }

    /// The documents behind the first.
    private mutating func documents(_ cursor: inout JSONCursor) throws(InvalidJSON) -> [ReadDocument] {
        var documents: [ReadDocument] = []
        var isFirst = true
        while try cursor.nextValue(&isFirst) { documents.append(try document(&cursor)) }
        return documents
    }

    private mutating func document(_ cursor: inout JSONCursor) throws(InvalidJSON) -> ReadDocument {
        var document = ReadDocument()
        var number: Int64?
        var isFirst = true
        var seen = KeysSeen()
        while let key = try documentKeys.nextKey(of: &cursor, &isFirst, depth: 3) {
            try seen.insert(documentKeys.last, cursor)
            switch key {
            case .document: number = try cursor.readInteger()
            case .submission: document.submission = try objects.submission(&cursor)
            case .receipt: document.statement.receipt = try objects.receipt(&cursor)
            case .purchases: document.statement.purchases = try objects.purchases(&cursor)
            case .terms: try objects.readSigned(.terms, &cursor, into: &document.statement)
            case .renewal: try objects.readSigned(.renewal, &cursor, into: &document.statement)
            case .appTransaction: try objects.readSigned(.appTransaction, &cursor, into: &document.statement)
            case .notification: try objects.readSigned(.notification, &cursor, into: &document.statement)
            case .parts: document.parts = try parts(&cursor)
            case .rejection: (document.rejection, document.rejectedLine) = try objects.rejection(&cursor)
            }
        }
        guard let number else { throw cursor.failure("one of the documents has to have its number, document") }
        document.number = number
        return document
    }

    /// The documents that one holds.
    private mutating func parts(
        _ cursor: inout JSONCursor
    ) throws(InvalidJSON) -> [(part: SignedPart, statement: ReadStatement)] {
        var parts: [(part: SignedPart, statement: ReadStatement)] = []
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            let read = try part(&cursor)
            guard !parts.contains(where: { $0.part == read.part }) else { throw cursor.failure("a part stands twice") }
            parts.append(read)
        }
        return parts
    }

    private mutating func part(
        _ cursor: inout JSONCursor
    ) throws(InvalidJSON) -> (part: SignedPart, statement: ReadStatement) {
        var statement = ReadStatement()
        var part: SignedPart?
        var isFirst = true
        var seen = KeysSeen()
        while let key = try partKeys.nextKey(of: &cursor, &isFirst, depth: 5) {
            try seen.insert(partKeys.last, cursor)
            switch key {
            case .part: part = try objects.part(&cursor)
            case .receipt: statement.receipt = try objects.receipt(&cursor)
            case .purchases: statement.purchases = try objects.purchases(&cursor)
            case .terms: try objects.readSigned(.terms, &cursor, into: &statement)
            case .renewal: try objects.readSigned(.renewal, &cursor, into: &statement)
            case .appTransaction: try objects.readSigned(.appTransaction, &cursor, into: &statement)
            case .notification: try objects.readSigned(.notification, &cursor, into: &statement)
            }
        }
        guard let part, statement.receipt != nil, statement.purchases != nil else {
            throw cursor.failure("a part has to have its name, part, a receipt and purchases")
        }
        return (part, statement)
    }

    private static func check(_ line: Line, schema: Int64?) throws(InvalidJSON) {
        let known = DecodedKeys.readableSchemas
        try require(
            schema.map { known.contains($0) } ?? false,
            schema.map {
                "the line is of schema \($0), and this version reads \(known.lowerBound) to \(known.upperBound)"
            } ?? "the line is not of decode's format: it has no schema")
        try line.first.checkForm()
        try checkOrder(line)
        try require((line.archive == nil) == (line.number == nil), "archive and line stand together or not at all")
        // A submission's number has 32 bits for its line.
        try require((1...Int64(UInt32.max)).contains(line.number ?? 1), "the line's number is out of range")
        try require(!line.isLast || line.archive != nil, "a line without an archive can't be its last")
    }

    /// Documents are numbered without gaps. One may stand twice: as a submission, then as a
    /// rejection, where what it holds can't be read.
    private static func checkOrder(_ line: Line) throws(InvalidJSON) {
        guard !line.others.isEmpty else { return }
        var (number, isRejected): (Int64, Bool) = (1, line.first.rejection != nil)
        for document in line.others {
            try document.checkForm()
            if document.number == number, !isRejected, document.rejection != nil {
                isRejected = true
                continue
            }
            try require(
                document.number == number + 1 && number < SignedPlace.maximumDocuments,
                "the numbers of the line's documents have a gap, or are out of range")
            (number, isRejected) = (document.number, document.rejection != nil)
        }
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
