internal import MillSystem
internal import ReceiptArchive
internal import ReceiptVerification
internal import ReceiptWarehouse
internal import RunGuide

/// Loads verified batches into the database. One worker at a time uses the sink.
final class ArchiveSink: ItemSink {
    private let loader: ArchiveLoader
    private let reporter: RunReporter
    private var current: (file: OpenedFile, archive: DurableArchive)?

    private let limits: Limits
    /// The lines by which the load may be refused; nil once they have been checked, and if no check is wanted.
    private var firstLines: FirstLines? {
        didSet { loader.writer.mayCommit = firstLines == nil }
    }

    init(_ loader: ArchiveLoader, _ reporter: RunReporter, limits: Limits, firstLines: FirstLines? = nil) {
        (self.loader, self.reporter, self.limits, self.firstLines) = (loader, reporter, limits, firstLines)
        loader.writer.mayCommit = firstLines == nil
    }

    func take(_ item: SourceItem<VerifiedBatch>) throws(MillError) {
        switch item {
        case .begin(let file): try begin(file)
        case .batch(let batch, let file, let position):
            guard !file.rest.isCancelled else { return try loader.passOver(batch) }
            firstLines?.add(batch, of: file.path)
            if firstLines?.isComplete == true { try judgeFirstLines() }
            try loader.load(batch, linesAhead: linesAhead(of: batch, at: position), text: position.text)
            reporter.advance(to: position, loader.writer.counts)
            endAtLimit(file)
        case .end(let ending): try end(ending)
        case .waiting:
            if firstLines?.isEmpty == false { try judgeFirstLines() }
            try loader.writer.commit()
        case .known(let fingerprint, let path, let name):
            try loader.record(fingerprint, at: path)
            reporter.run.summary.durable.append(DurableArchive(path: path, fingerprint))
            reporter.known(path: path, name: name)
        case .letters: break
        case .unreadable(let failure): reporter.fail(failure, stamp: failure.path.flatMap { FileStamp(path: $0) })
        }
    }

    static func size(of item: SourceItem<VerifiedBatch>) -> Int {
        if case .batch(let batch, _, _) = item { batch.size } else { 0 }
    }

    func finish() throws(MillError) { try judgeFirstLines() }

    /// Refuses the load, before anything is committed, if the first lines show that a setting is wrong.
    private func judgeFirstLines() throws(MillError) {
        do throws(MillError) { try firstLines?.judge() } catch {
            try loader.writer.rollBack()
            throw error
        }
        firstLines = nil
    }

    private func begin(_ file: OpenedFile) throws(MillError) {
        guard let fingerprint = file.identity else { return }
        reporter.run.summary.archives += 1
        reporter.begin(file, loader.writer.counts)
        current = (file, DurableArchive(path: file.path, fingerprint))
        try loader.begin(fingerprint.id, appendedTo: fingerprint.prefix)
        if file.processedLines > 0 { reporter.run.report(.resumed(path: file.path, line: file.processedLines)) }
        try loader.record(fingerprint, at: file.path)
        endAtLimit(file)
    }

    /// Ends reading an archive in which too many documents were rejected, by this run and earlier runs together.
    private func endAtLimit(_ file: OpenedFile) {
        guard let archive = loader.writer.progress.archive, case let rejected = archive.rejectedDocuments,
            rejected > limits.rejections, rejected > archive.loadedDocuments
        else { return }
        file.rest.cancel()
        let failure = MillError(
            stage: .reading, path: file.path, line: Int(archive.lines),
            what:
                "is not read on: \(rejected) documents were rejected, more than were loaded, and more than \(limits.rejections)",
            hint:
                "SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason; where ignore_keys or a limit was "
                + "wrong, correct it and read the lines again; else raise rejections of limits (--max-rejections)",
            exitStatus: .badData)
        reporter.fail(failure, stamp: current?.archive.stamp)
    }

    /// An estimate of the lines that follow a batch, from the average length of the archive's lines so far; nil if no
    /// length is known.
    private func linesAhead(of batch: VerifiedBatch, at position: ReadingPosition) -> Int? {
        guard position.consumedBytes > 0, let processed = loader.processedLines else { return nil }
        let lines = Double(processed + Int64(batch.lineCount)) * position.bytesAhead / Double(position.consumedBytes)
        return Int(exactly: lines.rounded())
    }

    private func end(_ ending: ArchiveEnding) throws(MillError) {
        let archive = loader.writer.progress.archive
        defer {
            current = nil
            reporter.endArchive(loader.writer.counts, archive)
        }
        if case .whole(let text) = ending {
            try loader.end(isComplete: true, text: text)
            if let current { reporter.run.summary.durable.append(current.archive) }
            return
        }
        // The rest of an archive with too many rejected lines is not read, although nobody stopped the run.
        if case .stopped = ending, let current, !current.file.rest.isCancelled, let line = loader.processedLines {
            reporter.run.summary.stoppedAt = .line(line, of: current.file.path)
        }
        var soundLines: Int64?
        if case .damaged(_, let lines) = ending { soundLines = lines }
        try loader.end(isComplete: false, soundLines: soundLines)
        if case .growing = ending, let current { reporter.run.report(.growing(path: current.file.path)) }
        if let failure = ending.failure { reporter.fail(failure, stamp: current?.archive.stamp) }
    }
}
