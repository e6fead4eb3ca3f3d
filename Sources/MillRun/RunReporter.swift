internal import MillSystem

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

    func fail(_ failure: MillError) {
        summary.failures.append(failure)
        onEvent(.failed(failure))
    }
}
