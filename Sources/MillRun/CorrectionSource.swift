internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Lines that stand in the place of rejected ones.
struct CorrectionBatch<Lines: Sendable>: Sendable {
    let lines: Lines
    /// The rejection in whose place each line stands.
    var origins: [CorrectionOrigin] = []
    /// Letters whose rejection is not open any more.
    var passedOver = 0
    /// Letters that are refused.
    var refusals: [MillError] = []
    /// The dead-letter file that holds them; nil where lines are read again.
    var file: IngestSummary.DurableArchive?
    /// Why no more is read of it.
    var failure: MillError?
    /// Whether the file ends with these.
    var isLast = false

    func map<Other>(_ work: (Lines) throws(MillError) -> Other) throws(MillError) -> CorrectionBatch<Other> {
        CorrectionBatch<Other>(
            lines: try work(lines), origins: origins, passedOver: passedOver, refusals: refusals, file: file,
            failure: failure, isLast: isLast)
    }
}

struct CorrectionOrigin: Sendable {
    /// Archive and line in one integer, as a submission's identifier is.
    let id: Int64
    /// The letter's line of the dead-letter file.
    var line = 0
    /// Whether the line is another than the rejected one; nil where that is not kept.
    var isChanged: Bool?
    /// Why the line was rejected.
    var cause = ""
}

/// Text of corrections that become one batch.
struct CorrectionText {
    var text: [UInt8] = []
    var origins: [CorrectionOrigin] = []
    var passedOver = 0
    var refusals: [MillError] = []

    /// Letters that are looked at before what they came to is handed on.
    private static let greatestCount = 10_000

    /// Bytes of lines that still fit.
    var room: Int { max(ArchiveReader.defaultBatchSize - text.count, 0) }
    var isFull: Bool { room == 0 || origins.count + passedOver + refusals.count >= Self.greatestCount }

    mutating func add(_ line: some Sequence<UInt8>, _ origin: CorrectionOrigin) {
        text += line
        text.append(UInt8(ascii: "\n"))
        origins.append(origin)
    }
}

/// What holds lines that stand in the place of rejected ones.
enum CorrectionInput {
    case letters(InputFile, ArchiveFingerprint)
    /// Kept lines of open rejections.
    case keptLines
    /// An archive that was loaded, for rejected lines that are kept nowhere.
    case archive(String)
}

/// Where lines come from that stand in the place of rejected ones.
protocol CorrectionReader: AnyObject {
    var file: IngestSummary.DurableArchive? { get }
    /// Adds what comes next, until the text is full.
    ///
    /// - Returns: false at the end.
    func read(into text: inout CorrectionText) throws(MillError) -> Bool
}

/// Reads corrections: of dead-letter files, of kept lines, of archives, one after another. Used
/// by one worker at a time.
///
/// What a letter comes to depends on what all before it have come to: so no two readers are at
/// work at the same time, and none takes one rejection twice.
final class CorrectionSource: ItemSource {
    private var inputs: ArraySlice<CorrectionInput>
    private let database: LoadDatabase
    private let limits: Limits
    private let stop: CancellationFlag
    private var current: (any CorrectionReader)?
    private var nextBatch = 0

    init(_ inputs: [CorrectionInput], _ database: LoadDatabase, _ configuration: LoadConfiguration) {
        self.inputs = inputs[...]
        self.database = database
        (limits, stop) = (configuration.limits, configuration.stop)
    }

    var mustDrain: Bool { current == nil }

    func next() throws(MillError) -> CorrectionBatch<LineBatch>? {
        guard !stop.isCancelled, current != nil || !inputs.isEmpty else { return nil }
        var text = CorrectionText()
        var failure: MillError?
        var isLast = false
        var file: IngestSummary.DurableArchive?
        do throws(MillError) {
            if current == nil { current = try open(inputs.removeFirst()) }
            file = current?.file
            isLast = try current?.read(into: &text) != true
        } catch {
            if stop.isCancelled { return nil }
            (failure, isLast) = (error, true)
        }
        if isLast { current = nil }
        defer { nextBatch += 1 }
        return CorrectionBatch(
            lines: LineBatch(sequence: nextBatch, content: .lines(text.text)), origins: text.origins,
            passedOver: text.passedOver, refusals: text.refusals, file: file, failure: failure, isLast: isLast)
    }
}

extension CorrectionSource {
    private func open(_ input: CorrectionInput) throws(MillError) -> any CorrectionReader {
        switch input {
        case .letters(let file, let fingerprint): try LetterReader(file, fingerprint, database, limits)
        case .keptLines: KeptLineReader(database)
        case .archive(let path): try RejectedLineReader(path, database, limits, stop: stop)
        }
    }
}

/// Reads a dead-letter file.
final class LetterReader: CorrectionReader {
    let file: IngestSummary.DurableArchive?
    private let database: LoadDatabase
    private let path: String
    private var reader: DeadLetterReader
    /// Rejections that letters of this file were taken for.
    private var taken: Set<Int64> = []

    init(
        _ file: InputFile, _ fingerprint: ArchiveFingerprint, _ database: LoadDatabase, _ limits: Limits
    ) throws(MillError) {
        reader = try DeadLetterReader(checking: file, limits: limits)
        path = file.path
        self.database = database
        self.file = IngestSummary.DurableArchive(path: file.path, fingerprint, holdsLetters: true)
    }

    func read(into text: inout CorrectionText) throws(MillError) -> Bool {
        while !text.isFull {
            guard let letter = try reader.next() else { return false }
            switch letter {
            case .failure(let fault): text.refusals.append(fault)
            case .success(let letter): try add(letter, to: &text)
            }
        }
        return true
    }

    private func add(_ letter: DeadLetter, to text: inout CorrectionText) throws(MillError) {
        guard let state = try database.state(ofLine: letter.line, in: letter.archive) else {
            return text.refusals.append(
                refusal("is of an archive that is not loaded, \(letter.archive.hex)", "load the archive first"))
        }
        guard let status = state.status else {
            return text.refusals.append(
                refusal(
                    "is of line \(letter.line) of archive \(letter.archive.hex), which was never rejected",
                    "leave rejected as it was written"))
        }
        guard status == .open, taken.insert(state.id).inserted else { return text.passedOver += 1 }
        text.add(
            letter.text,
            CorrectionOrigin(
                id: state.id, line: reader.line, isChanged: state.kept.map { $0 != letter.text }, cause: state.cause))
    }

    private func refusal(_ what: String, _ hint: String) -> MillError {
        MillError(stage: .reading, path: path, line: reader.line, what: what, hint: hint, exitStatus: .badData)
    }
}

/// Reads the kept lines of open rejections again.
final class KeptLineReader: CorrectionReader {
    let file: IngestSummary.DurableArchive? = nil
    private let database: LoadDatabase
    private var last: Int64 = 0

    init(_ database: LoadDatabase) {
        self.database = database
    }

    func read(into text: inout CorrectionText) throws(MillError) -> Bool {
        let lines = try database.keptLines(after: last, upTo: text.room)
        for line in lines { text.add(line.text, CorrectionOrigin(id: line.id)) }
        last = lines.last?.id ?? last
        return !lines.isEmpty
    }
}

/// Reads an archive's lines again whose rejections are open and which are kept nowhere.
final class RejectedLineReader: CorrectionReader {
    let file: IngestSummary.DurableArchive? = nil
    private let database: LoadDatabase
    private var reader: ArchiveReader
    private let archive: Int64
    private let lines: Int64
    /// Line that was read last, from 1.
    private var line: Int64 = 0

    init(_ path: String, _ database: LoadDatabase, _ limits: Limits, stop: CancellationFlag) throws(MillError) {
        let file = try InputFile(path: path, stop: stop)
        let fingerprint = try ArchiveFingerprint(of: file)
        guard let (archive, lines) = try database.content(fingerprint.sha256) else {
            throw MillError(
                stage: .reading, path: path, what: "is not loaded, so none of its lines can be read again",
                hint: "load it: receiptmill ingest", exitStatus: .badData)
        }
        (self.archive, self.lines) = (archive, lines)
        self.database = database
        reader = try ArchiveReader(file: file, limits: limits)
    }

    func read(into text: inout CorrectionText) throws(MillError) -> Bool {
        guard line < lines, let content = try reader.next() else { return false }
        let first = line + 1
        line += Int64(content.lineCount)
        guard case .lines(let bytes) = content else { return true }
        var wanted = try database.linesKeptNowhere(ofArchive: archive, in: first...max(first, min(line, lines)))[...]
        var (start, number) = (0, first)
        while let next = wanted.first, start < bytes.count {
            let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: bytes.span, start..<bytes.count)
            let end = newline ?? bytes.count
            if number == next {
                text.add(bytes[start..<end], CorrectionOrigin(id: archive << 32 | number))
                wanted.removeFirst()
            }
            (start, number) = (end + 1, number + 1)
        }
        return true
    }
}
