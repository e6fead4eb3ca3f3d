internal import ReceiptTrust

/// What the reading stage hands on, in the order of the archives' lines.
enum WorkItem: Sendable {
    case begin(ArchiveIdentity, path: String, skippedLines: Int64)
    case lines(LineBatch, consumedBytes: Int64)
    case end(ArchiveEnding)
    /// The archive's content was loaded before.
    case known(ArchiveIdentity, path: String, name: String)
    /// The archive can't be opened.
    case unreadable(MillError)

    /// The same with its lines graded.
    func graded(by grader: Grader) throws(MillError) -> GradedItem {
        switch self {
        case .begin(let identity, let path, let skipped): .begin(identity, path: path, skippedLines: skipped)
        case .lines(let batch, let consumed): .batch(try grader.grade(batch), consumedBytes: consumed)
        case .end(let ending): .end(ending)
        case .known(let identity, let path, let name): .known(identity, path: path, name: name)
        case .unreadable(let failure): .unreadable(failure)
        }
    }
}

/// What the loading stage takes.
enum GradedItem: Sendable {
    case begin(ArchiveIdentity, path: String, skippedLines: Int64)
    case batch(GradedBatch, consumedBytes: Int64)
    case end(ArchiveEnding)
    case known(ArchiveIdentity, path: String, name: String)
    case unreadable(MillError)
}

/// Reads archives one after another and cuts them into batches.
final class ReadingOrder {
    private var paths: ArraySlice<String>
    private let warehouse: Warehouse
    private let limits: Limits
    private let batchSize: Int
    private var current: OpenArchive?
    private var nextBatch = 0
    /// Archives begun in this run, which may not be complete in the database yet.
    private var begun: [SHA256Digest: String] = [:]

    private let stop: StopRequest

    init(archives: [String], warehouse: Warehouse, limits: Limits, batchSize: Int, stop: StopRequest) {
        self.batchSize = batchSize
        paths = archives[...]
        self.warehouse = warehouse
        self.limits = limits
        self.stop = stop
    }

    /// The next piece of work; nil after the last archive, or when asked to stop.
    func next() throws(MillError) -> WorkItem? {
        guard let archive = current else {
            guard !stop.isMade, let path = paths.popFirst() else { return nil }
            return try open(path)
        }
        if stop.isMade {
            current = nil
            return .end(.stopped)
        }
        do throws(MillError) {
            if let content = try archive.next() {
                defer { nextBatch += 1 }
                return .lines(
                    LineBatch(sequence: nextBatch, content: content),
                    consumedBytes: Int64(archive.consumedBytes))
            }
            current = nil
            return .end(try archive.ending())
        } catch {
            current = nil
            return .end(.failed(error))
        }
    }

    private func open(_ path: String) throws(MillError) -> WorkItem {
        let file: InputFile
        var identity: ArchiveIdentity
        do throws(MillError) {
            file = try InputFile(path: path)
            identity = try ArchiveIdentity(of: file)
        } catch {
            return .unreadable(error)
        }
        if let name = begun[identity.sha256] { return .known(identity, path: path, name: name) }
        begun[identity.sha256] = identity.name
        let state = try warehouse.state(of: identity.sha256)
        if let state, state.isComplete { return .known(identity, path: path, name: state.name) }
        do throws(MillError) {
            var skipped = state?.lines ?? 0
            if state == nil, let beginning = try beginning(of: identity, file) {
                identity.beginning = beginning
                skipped = try warehouse.settledLines(ofBeginning: beginning)
            }
            if let rejected = try warehouse.rejectedLines(ofFile: identity.name) {
                try file.rewind(upTo: identity.bytes)
                identity.origins = try LineOrigins(of: file, limits: limits, among: rejected)
            }
            try file.rewind(upTo: identity.bytes)
            current = try OpenArchive(
                file: file, identity: identity, skippingLines: skipped, limits: limits, batchSize: batchSize)
            return .begin(identity, path: path, skippedLines: skipped)
        } catch {
            return .unreadable(error)
        }
    }

    /// What an earlier run has loaded of an archive that has grown since: a file
    /// of the same name that begins with exactly that content.
    ///
    /// Another name is another archive, even if it begins alike: else the order
    /// of loading two would decide what they hold.
    private func beginning(of identity: ArchiveIdentity, _ file: InputFile) throws(MillError) -> SHA256Digest? {
        guard identity.name != "-" else { return nil }
        for known in try warehouse.shorterContents(than: identity) where begun[known.sha256] == nil {
            if try file.digest(upTo: known.bytes).sha256 == known.sha256 { return known.sha256 }
        }
        return nil
    }
}
