internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// Counts what a run does to archives, and reports it to the user.
final class RunReporter {
    var summary: IngestSummary
    private var progress = RunProgress()
    /// The file at hand, and what was counted before it.
    private var current: (path: String, before: LoadCounts)?
    private let onEvent: (RunEvent) -> Void

    init(maxRejected: Double, onEvent: @escaping (RunEvent) -> Void) {
        summary = IngestSummary()
        summary.maxRejected = maxRejected
        self.onEvent = onEvent
    }

    func report(_ event: RunEvent) { onEvent(event) }

    /// - Parameter counts: those of the load before it.
    func begin(_ file: OpenedFile, _ counts: LoadCounts) {
        progress.archive += 1
        progress.archiveName = file.name
        progress.archiveBytes = file.bytes
        progress.consumedBytes = 0
        current = (file.path, counts)
        onEvent(.archiveBegan(path: file.path, bytes: file.bytes))
    }

    /// Ends the archive at hand.
    ///
    /// - Parameter archive: how far it is loaded; nil where the file is not known as one.
    func endArchive(_ counts: LoadCounts, _ archive: LoadingArchive? = nil) {
        guard let (path, before) = current else { return }
        let lines = counts.lines - before.lines
        let rejected = counts.rejected.values.reduce(0, +) - before.rejected.values.reduce(0, +)
        onEvent(.archiveEnded(path: path, lines: lines, rejected: rejected))
        current = nil
        guard let archive, lines > 0 else { return }
        summary.loads.append(
            IngestSummary.ArchiveLoad(
                path: path, id: archive.id, lines: (archive.lines - Int64(lines) + 1)...archive.lines,
                rejectedLines: rejected, rejectedDocuments: counts.rejectedDocuments - before.rejectedDocuments))
    }

    func advance(to position: ReadingPosition, lines: Int) {
        progress.consumedBytes = position.consumedBytes
        progress.lines = lines
        onEvent(.progress(progress))
    }

    func known(path: String, name: String) {
        summary.archives += 1
        summary.knownArchives += 1
        onEvent(.alreadyLoaded(path: path, name: name))
    }

    /// Takes what a load has counted. Where rejected lines are kept, writes the dead-letter file,
    /// then removes lines that were kept long enough; where letters are gone, packs the database.
    /// A run that is cancelled leaves this to the next; where the clock has jumped, no line is old.
    func end(_ loader: ArchiveLoader, _ configuration: LoadConfiguration, clock: RunClock, cpuSeconds: [Stage: Double]) {
        summary.isStopped = configuration.stop.isCancelled
        summary.cpuSeconds = cpuSeconds
        summary.counts = loader.writer.counts
        summary.rejectionsNotKept = loader.deadLetters?.notKept ?? 0
        guard !summary.isStopped else { return }
        do throws(MillError) {
            try configuration.stop.interrupting([loader.writer.warehouse.queue]) { () throws(MillError) in
                var cleared = summary.counts.correctionsApplied
                if let settings = configuration.deadLetters {
                    let file = DeadLetterFile(path: settings.file, limits: configuration.limits)
                    let cutoff = clock.cutoff(days: settings.keepDays)
                    summary.deadLetters = try file.write(from: loader.writer.warehouse, keptSince: cutoff ?? .min)
                    if let cutoff {
                        // After the file, which was written without these lines.
                        let expired = try loader.writer.warehouse.rejections.expireKeptLines(before: cutoff)
                        if expired > 0 { onEvent(.expired(lines: expired, days: settings.keepDays, before: cutoff)) }
                        cleared += expired
                    }
                }
                if cleared > 0 { try DatabasePacking(loader.writer.warehouse).releaseFreePages() }
            }
        } catch {
            guard !configuration.stop.explains(error) else { return summary.isStopped = true }
            fail(error)
        }
    }

    /// - Parameter stamp: of the archive that is damaged, before it was read.
    func fail(_ failure: MillError, stamp: FileStamp? = nil) {
        if let stamp, let path = failure.path, path != "-", failure.exitStatus == .badData {
            summary.damaged.append(IngestSummary.DamagedArchive(path: path, stamp: stamp))
        }
        summary.failures.append(failure)
        onEvent(.failed(failure))
    }
}
