internal import DatabaseCare
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// An input with lines that may replace rejected lines.
enum CorrectionInput {
    case letters(InputFile, ArchiveFingerprint)
    /// Kept lines of open rejections.
    case keptLines
    /// A loaded archive, for its rejected lines that are kept nowhere else.
    case archive(String)
}

/// Reads corrections from dead-letter files, kept lines and archives, one input after another. One worker at a time
/// uses the source.
///
/// A correction is skipped if an earlier one has cleared its rejection. So no two inputs are read at the same time, and
/// no rejection is corrected twice.
final class CorrectionSource: ItemSource {
    private typealias Batch = CorrectionBatch<[UInt8]>
    /// Adds lines until the batch is full; false at the end of the input.
    private typealias Reader = (inout Batch) throws(MillError) -> Bool

    private var inputs: ArraySlice<CorrectionInput>
    private let database: Warehouse
    private let limits: Limits
    private let stop: CancellationFlag
    private var current: (read: Reader, file: DurableArchive?)?
    /// The header of the archive that is being read, if its lines may be rows of a table.
    private var header: TableHeader?
    private var nextBatch = 0
    /// Whether a correction waits for the outcome of an earlier one for the same rejection.
    private var hasRepeat = false

    init(_ inputs: [CorrectionInput], _ database: Warehouse, _ configuration: LoadConfiguration) {
        self.inputs = inputs[...]
        self.database = database
        (limits, stop) = (configuration.limits, configuration.stop)
    }

    var mustDrain: Bool { current == nil || hasRepeat }

    func next() throws(MillError) -> CorrectionBatch<LineBatch>? {
        guard !stop.isCancelled, current != nil || !inputs.isEmpty else { return nil }
        var batch = Batch(lines: [])
        do throws(MillError) {
            if current == nil { current = try open(inputs.removeFirst()) }
            batch.file = current?.file
            batch.isLast = try current?.read(&batch) != true
        } catch {
            if stop.isCancelled { return nil }
            (batch.failure, batch.isLast) = (error, true)
        }
        defer { nextBatch += 1 }
        let header = header
        if batch.isLast { (current, self.header) = (nil, nil) }
        return try batch.map { (text) throws(MillError) in
            LineBatch(sequence: nextBatch, content: .lines(text), header: header)
        }
    }

    private func open(
        _ input: CorrectionInput
    ) throws(MillError) -> (read: Reader, file: DurableArchive?) {
        switch input {
        case .letters(let file, let fingerprint):
            let durable = DurableArchive(path: file.path, fingerprint, holdsLetters: true)
            return (try letters(of: file), durable)
        case .keptLines: return (keptLines(), nil)
        case .archive(let path): return (try rejectedLines(of: path), nil)
        }
    }

    /// A reader of a dead-letter file. It refuses lines of unknown archives and skips those whose rejection is not
    /// open.
    private func letters(of file: InputFile) throws(MillError) -> Reader {
        let reader = try DeadLetterReader(checking: file, limits: limits)
        // Rejections whose corrections are being loaded; a further correction of one of them has to wait.
        var inFlight: Set<Int64> = []
        var repeated: (letter: DeadLetter, line: Int)?
        return { [database, unowned self] (batch) throws(MillError) in
            if hasRepeat {
                hasRepeat = false
                inFlight = []
            }
            var line = 0
            func refuse(_ what: String, _ hint: String) {
                batch.refusals.append(
                    MillError(
                        stage: .reading, path: file.path, line: line, what: what, hint: hint, exitStatus: .badData))
            }
            while !batch.isFull {
                let letter: DeadLetter
                if let waiting = repeated {
                    (letter, line, repeated) = (waiting.letter, waiting.line, nil)
                } else {
                    switch try reader.next() {
                    case nil: return false
                    case .failure(let fault)?:
                        batch.refusals.append(fault)
                        continue
                    case .success(let next)?: (letter, line) = (next, reader.line)
                    }
                }
                guard let state = try database.rejections.state(ofLine: letter.line, in: letter.archive) else {
                    if try letter.isUnchanged(), try database.archives.isRetracted(letter.archive) {
                        batch.passedOver += 1
                        continue
                    }
                    refuse(
                        "is of an archive that is not loaded, \(letter.archive.hex)",
                        "load the archive first, or give the database that wrote the dead-letter file")
                    continue
                }
                guard let status = state.status else {
                    refuse(
                        "is of line \(letter.line) of archive \(letter.archive.hex), which was never rejected",
                        "leave rejected as it was written")
                    continue
                }
                guard status == .open else {
                    batch.passedOver += 1
                    continue
                }
                // A second correction of a rejection is loaded only if the first does not clear the rejection, so it
                // waits until the first is loaded.
                guard inFlight.insert(state.id).inserted else {
                    (repeated, hasRepeat) = ((letter, line), true)
                    return true
                }
                batch.add(
                    letter.text,
                    Batch.Origin(
                        id: state.id, line: line, isChanged: state.kept.map { $0 != letter.text },
                        cause: state.cause))
            }
            return true
        }
    }

    /// A reader of the lines that the database keeps for open rejections.
    private func keptLines() -> Reader {
        var last: Int64 = 0
        return { [database] (batch) throws(MillError) in
            let lines = try database.rejections.keptLines(after: last, upTo: batch.room)
            for line in lines { batch.add(line.text, Batch.Origin(id: line.id)) }
            last = lines.last?.id ?? last
            return !lines.isEmpty
        }
    }

    /// A reader of those rejected lines of an archive that the database does not keep and whose rejections are open.
    private func rejectedLines(of path: String) throws(MillError) -> Reader {
        let file = try InputFile(path: path, stop: stop)
        let fingerprint = try ArchiveFingerprint(of: file)
        guard let (archive, lines) = try database.archives.archive(of: fingerprint.sha256) else {
            throw MillError(
                stage: .reading, path: path, what: "is not loaded, so none of its lines can be read again",
                hint: "load it: receiptmill ingest", exitStatus: .badData)
        }
        let reader = try OpenArchive(file: file, identity: nil, limits: limits)
        // The number of the line that was read last, counted from 1.
        var line: Int64 = 0
        return { [database, unowned self] (batch) throws(MillError) in
            guard line < lines, let content = try reader.next() else { return false }
            header = reader.header
            let first = line + 1
            line += Int64(content.lineCount)
            guard case .lines(let text) = content else { return true }
            let wanted = first...max(first, min(line, lines))
            let texts = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for id in try database.rejections.linesKeptNowhere(ofArchive: archive, in: wanted) {
                batch.add(texts[Int(id - first)], Batch.Origin(id: archive << 32 | id))
            }
            return true
        }
    }
}
