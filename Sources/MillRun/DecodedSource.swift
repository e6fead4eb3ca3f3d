internal import DecodedLines
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// What the reading stage of a ``Load`` hands on.
enum LoadItem: Sendable {
    case begin(DecodedFile)
    case lines(LineBatch, of: DecodedFile, consumedBytes: Int64)
    case end(ArchiveEnding, of: DecodedFile)
    /// The file counts as an archive, and was loaded before.
    case known(path: String, name: String)
    case unreadable(MillError)

    /// The same with its lines parsed.
    func parsed(by parser: inout DecodedLineParser) -> ParsedItem {
        switch self {
        case .begin(let file): .begin(file)
        case .lines(let batch, let file, let consumed):
            .batch(parser.parse(batch, namesArchives: file.identity == nil), of: file, consumedBytes: consumed)
        case .end(let ending, let file): .end(ending, of: file)
        case .known(let path, let name): .known(path: path, name: name)
        case .unreadable(let failure): .unreadable(failure)
        }
    }
}

/// What its loading stage takes.
enum ParsedItem: Sendable {
    case begin(DecodedFile)
    case batch(DecodedBatch, of: DecodedFile, consumedBytes: Int64)
    case end(ArchiveEnding, of: DecodedFile)
    case known(path: String, name: String)
    case unreadable(MillError)
}

/// A file of decoded lines.
struct DecodedFile: Sendable {
    let path: String
    let name: String
    let bytes: Int64
    /// The file as an archive; nil where its lines name theirs.
    let identity: ArchiveID?
    /// Lines of it that were settled before, where it counts as an archive.
    let skippedLines: Int64
    /// Made when a line can't be taken: the rest is not read.
    let abandon = CancellationFlag()
}

/// Reads files of decoded lines one after another and cuts them into batches.
/// Used by one worker at a time.
final class DecodedSource {
    private var paths: ArraySlice<String>
    private let loadDatabase: LoadDatabase
    private let limits: Limits
    private let batchSize: Int
    private let stop: CancellationFlag
    private var current: (archive: OpenArchive, file: DecodedFile)?
    private var nextBatch = 0
    /// Files that count as archives and were begun in this run.
    private var begun: [SHA256Digest: String] = [:]

    init(files: [String], loadDatabase: LoadDatabase, limits: Limits, batchSize: Int, stop: CancellationFlag) {
        paths = files[...]
        self.loadDatabase = loadDatabase
        self.limits = limits
        self.batchSize = batchSize
        self.stop = stop
    }

    func next() throws(MillError) -> LoadItem? {
        guard let (archive, file) = current else {
            guard !stop.isMade, let path = paths.popFirst() else { return nil }
            do throws(MillError) {
                return try open(path)
            } catch {
                return .unreadable(error)
            }
        }
        if stop.isMade || file.abandon.isMade {
            current = nil
            return .end(.stopped, of: file)
        }
        do throws(MillError) {
            if let content = try archive.next() {
                defer { nextBatch += 1 }
                return .lines(
                    LineBatch(sequence: nextBatch, content: content), of: file,
                    consumedBytes: Int64(archive.consumedBytes))
            }
            current = nil
            return .end(try archive.ending(), of: file)
        } catch {
            current = nil
            return .end(.failed(error), of: file)
        }
    }

    private func open(_ path: String) throws(MillError) -> LoadItem {
        let input = try InputFile(path: path)
        guard try namesNoArchive(input) else {
            try input.rewind()
            let file = DecodedFile(
                path: path, name: input.name, bytes: try input.stamp().bytes, identity: nil, skippedLines: 0)
            current = (try OpenArchive(file: input, identity: nil, limits: limits, batchSize: batchSize), file)
            return .begin(file)
        }
        let identity = try ArchiveFingerprint(of: input)
        if let name = begun[identity.sha256] { return .known(path: path, name: name) }
        begun[identity.sha256] = identity.name
        let state = try loadDatabase.state(of: identity.sha256)
        if let state, state.isComplete { return .known(path: path, name: state.name) }
        let file = DecodedFile(
            path: path, name: input.name, bytes: identity.bytes, identity: identity.tag,
            skippedLines: state?.lines ?? 0)
        current = (
            try OpenArchive(
                file: input, identity: .found(identity), skippingLines: file.skippedLines, limits: limits,
                batchSize: batchSize), file
        )
        return .begin(file)
    }

    /// Whether the first line is a decoded line that names no archive.
    private func namesNoArchive(_ input: InputFile) throws(MillError) -> Bool {
        var reader = try ArchiveReader(file: input, limits: limits, batchSize: batchSize)
        guard case .lines(let text)? = try reader.next() else { return false }
        var parser = try DecodedLineParser(keepsReceipts: false, keepsRejectedLines: false)
        let end = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, 0..<text.count) ?? text.count
        return parser.namesArchive(Array(text[..<end])) == false
    }
}
