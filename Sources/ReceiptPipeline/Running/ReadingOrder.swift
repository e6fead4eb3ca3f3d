internal import ReceiptTrust

/// What the reading stage hands on, in the order of the archives' lines.
enum WorkItem: Sendable {
    case begin(ArchiveIdentity, path: String, skippedLines: Int64)
    case lines(LineBatch, consumedBytes: Int64)
    /// The archive ended, or can't be read further.
    case end(failure: MillError?)
    /// The archive's content was loaded before.
    case known(path: String, name: String)
    /// The archive can't be opened.
    case unreadable(MillError)

    /// The same with its lines graded.
    func graded(by grader: Grader) throws(MillError) -> GradedItem {
        switch self {
        case .begin(let identity, let path, let skipped): .begin(identity, path: path, skippedLines: skipped)
        case .lines(let batch, let consumed): .batch(try grader.grade(batch), consumedBytes: consumed)
        case .end(let failure): .end(failure: failure)
        case .known(let path, let name): .known(path: path, name: name)
        case .unreadable(let failure): .unreadable(failure)
        }
    }
}

/// What the loading stage takes.
enum GradedItem: Sendable {
    case begin(ArchiveIdentity, path: String, skippedLines: Int64)
    case batch(GradedBatch, consumedBytes: Int64)
    case end(failure: MillError?)
    case known(path: String, name: String)
    case unreadable(MillError)
}

/// Reads archives one after another and cuts them into batches.
final class ReadingOrder {
    private var paths: ArraySlice<String>
    private let warehouse: Warehouse
    private let limits: Limits
    private var current: OpenArchive?
    private var nextBatch = 0
    /// Archives begun in this run, which may not be complete in the database yet.
    private var begun: [SHA256Digest: String] = [:]

    private final class OpenArchive {
        let path: String
        var reader: ArchiveReader

        init(path: String, reader: consuming ArchiveReader) {
            self.path = path
            self.reader = reader
        }
    }

    init(archives: [String], warehouse: Warehouse, limits: Limits) {
        paths = archives[...]
        self.warehouse = warehouse
        self.limits = limits
    }

    /// The next piece of work; nil after the last archive.
    func next() throws(MillError) -> WorkItem? {
        guard let archive = current else {
            guard let path = paths.popFirst() else { return nil }
            return try open(path)
        }
        do throws(MillError) {
            if let content = try archive.reader.next() {
                defer { nextBatch += 1 }
                return .lines(
                    LineBatch(sequence: nextBatch, content: content),
                    consumedBytes: Int64(archive.reader.consumedBytes))
            }
        } catch {
            current = nil
            return .end(failure: error)
        }
        current = nil
        return .end(
            failure: archive.reader.damage.map { damage in
                MillError(
                    stage: .reading, path: archive.path,
                    what: "\(damage) (near byte \(archive.reader.consumedBytes))",
                    hint: "every whole line before the damage is loaded; fetch the archive again and load it too",
                    exitStatus: .badData)
            })
    }

    private func open(_ path: String) throws(MillError) -> WorkItem {
        let file: InputFile
        let identity: ArchiveIdentity
        do throws(MillError) {
            file = try InputFile(path: path)
            identity = try ArchiveIdentity(of: file)
        } catch {
            return .unreadable(error)
        }
        if let name = begun[identity.sha256] { return .known(path: path, name: name) }
        begun[identity.sha256] = identity.name
        let state = try warehouse.state(of: identity)
        if let state, state.isComplete { return .known(path: path, name: state.name) }
        let skipped = state?.lines ?? 0
        do throws(MillError) {
            let reader = try ArchiveReader(file: file, skippingLines: skipped, limits: limits)
            current = OpenArchive(path: path, reader: reader)
        } catch {
            return .unreadable(error)
        }
        return .begin(identity, path: path, skippedLines: skipped)
    }
}
