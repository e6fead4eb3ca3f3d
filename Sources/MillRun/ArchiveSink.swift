internal import MillSystem
internal import ReceiptArchive
internal import ReceiptVerification

/// Takes verified items in the order of the archives' lines: into the database,
/// into the summary, and to whoever follows the run.
///
/// Used by one worker at a time, as the pipeline's loading stage is.
final class ArchiveSink {
    var summary = IngestSummary()
    private let loader: Loader
    private let tell: (Ingest.Event) -> Void
    private var progress = Ingest.Progress()
    private var current: IngestSummary.DurableArchive?

    init(loader: Loader, tell: @escaping (Ingest.Event) -> Void) {
        self.loader = loader
        self.tell = tell
    }

    func take(_ item: ArchiveItem<VerifiedBatch>) throws(MillError) {
        switch item {
        case .begin(let identity, let path, let start):
            let identity = try identity.get()
            summary.archives += 1
            progress.archive += 1
            progress.archiveName = identity.name
            progress.archiveBytes = identity.bytes
            current = IngestSummary.DurableArchive(path: path, sha256: identity.sha256, stamp: identity.stamp)
            try begin(identity, path, start)
            try loader.place(identity, at: path)
        case .batch(let batch, let numbers, let place):
            try loader.load(batch, lines: numbers, linesAhead: linesAhead(of: batch, at: place))
            progress.consumedBytes = place.consumedBytes
            progress.lines = loader.counts.lines
            tell(.progress(progress))
        case .end(let ending): try end(ending)
        case .known(let identity, let path, let name):
            summary.archives += 1
            summary.knownArchives += 1
            try loader.place(identity, at: path)
            summary.settled.append(
                IngestSummary.DurableArchive(path: path, sha256: identity.sha256, stamp: identity.stamp))
            tell(.alreadyLoaded(path: path, name: name))
        case .unreadable(let failure): fail(failure)
        }
    }

    private func begin(_ identity: ArchiveFingerprint, _ path: String, _ start: ArchiveStart) throws(MillError) {
        if let lines = identity.origins?.lateLines, lines > 0 { tell(.tooLate(path: path, lines: lines)) }
        switch start {
        case .behind(let lines):
            try loader.begin(identity.tag, appendedTo: identity.beginning, origins: identity.origins)
            if lines > 0 { tell(.resumed(path: path, line: lines)) }
        case .again:
            try loader.begin(
                identity.tag, appendedTo: identity.beginning, origins: identity.origins, isReadAgain: true)
            tell(.rereading(path: path))
        }
    }

    /// Lines that are still to come after a batch, if lines are as long as those of its
    /// archive so far; nil where that says nothing.
    private func linesAhead(of batch: VerifiedBatch, at place: ReadingPlace) -> Int? {
        guard place.consumedBytes > 0, let settled = loader.processedLines else { return nil }
        let lines = Double(settled + Int64(batch.lineCount)) * place.bytesAhead / Double(place.consumedBytes)
        return Int(exactly: lines.rounded())
    }

    private func end(_ ending: ArchiveEnding) throws(MillError) {
        defer { current = nil }
        switch ending {
        case .whole:
            let unmended = loader.unmendedLines
            try loader.end(isComplete: true)
            guard let current else { return }
            if let unmended { fail(Self.failure(of: unmended, current.path)) } else { summary.settled.append(current) }
        case .growing:
            try loader.end(isComplete: false)
            if let current { tell(.growing(path: current.path)) }
        case .stopped: try loader.end(isComplete: false)
        case .failed(let failure):
            try loader.end(isComplete: false)
            fail(failure)
        }
    }

    /// Whoever mended them has to know: nothing but the file holds what they wrote.
    private static func failure(of lines: UnmendedLines, _ path: String) -> MillError {
        MillError(
            stage: .reading, path: path, line: Int(lines.first),
            what: "\(lines.count) lines were changed and still can't be read, from this one on; it says "
                + "\(lines.cause.reason.rawValue): \(lines.cause.detail)",
            hint: "mend them, or give keys and limits as the pipeline file has them (--receipt-key, --max-line, …: "
                + "receiptmill run --dry-run says the command); then load the file again",
            exitStatus: .badData)
    }

    private func fail(_ failure: MillError) {
        summary.failures.append(failure)
        tell(.failed(failure))
    }
}
