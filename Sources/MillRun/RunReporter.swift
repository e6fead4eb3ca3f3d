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

    /// Ends a run that keeps rejected lines: writes the dead-letter file, then removes lines that
    /// were kept long enough. A run that is cancelled leaves both to the next.
    func writeDeadLetters(of database: LoadDatabase, _ configuration: LoadConfiguration, notKept: Int) {
        summary.rejectionsNotKept = notKept
        guard let settings = configuration.deadLetters, !summary.isStopped else { return }
        let file = DeadLetterFile(path: settings.file, limits: configuration.limits)
        let expiry = LoadProgress.now - Int64(settings.keepDays) * 86_400_000
        do throws(MillError) {
            summary.deadLetters = try configuration.stop.interrupting([database.queue]) { () throws(MillError) in
                let letters = try file.write(from: database, keptSince: expiry)
                // Behind the file: it is held against the lines that it was written with.
                try database.expireKeptLines(before: expiry)
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
