internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// Counts what a run does to archives, and reports it to the user.
final class RunReporter {
    var summary: IngestSummary
    private var progress = RunProgress()
    private let onEvent: (RunEvent) -> Void

    init(maxRejected: Double, onEvent: @escaping (RunEvent) -> Void) {
        summary = IngestSummary()
        summary.maxRejected = maxRejected
        self.onEvent = onEvent
    }

    func report(_ event: RunEvent) { onEvent(event) }

    func begin(_ file: OpenedFile) {
        progress.archive += 1
        progress.archiveName = file.name
        progress.archiveBytes = file.bytes
        progress.consumedBytes = 0
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
    /// then removes lines that were kept long enough; a run that is cancelled leaves both to the
    /// next.
    func end(_ loader: Loader, _ configuration: LoadConfiguration, cpuSeconds: [Stage: Double]) {
        summary.isStopped = configuration.stop.isCancelled
        summary.cpuSeconds = cpuSeconds
        summary.counts = loader.counts
        summary.rejectionsNotKept = loader.rejectionsNotKept
        guard let settings = configuration.deadLetters, !summary.isStopped else { return }
        let file = DeadLetterFile(path: settings.file, limits: configuration.limits)
        let expiry = LoadProgress.now - Int64(settings.keepDays) * 86_400_000
        do throws(MillError) {
            summary.deadLetters = try configuration.stop.interrupting([loader.database.queue]) { () throws(MillError) in
                let letters = try file.write(from: loader.database, keptSince: expiry)
                // After the file, which was written with these lines.
                try loader.database.expireKeptLines(before: expiry)
                return letters
            }
        } catch {
            guard !configuration.stop.explains(error) else { return summary.isStopped = true }
            fail(error)
        }
    }

    func fail(_ failure: MillError) {
        summary.failures.append(failure)
        onEvent(.failed(failure))
    }
}
