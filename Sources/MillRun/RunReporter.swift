internal import MillSystem
internal import ReceiptWarehouse

/// Counts what a load does to each archive, and reports that to the user.
final class RunReporter {
    let run: RunContext
    private var progress = RunProgress()
    /// The file at hand, and what was counted before it.
    private var current: (path: String, before: LoadCounts)?

    init(_ run: RunContext) { self.run = run }

    func report(_ event: RunEvent) { run.report(event) }

    /// - Parameter counts: those of the load before the file.
    func begin(_ file: OpenedFile, _ counts: LoadCounts) {
        progress.archive += 1
        progress.archiveName = file.name
        progress.archiveBytes = file.bytes
        progress.consumedBytes = 0
        current = (file.path, counts)
        report(.archiveBegan(path: file.path, bytes: file.bytes))
    }

    /// Ends the archive at hand.
    ///
    /// - Parameter archive: how far it is loaded; nil where the file is not known as one.
    func endArchive(_ counts: LoadCounts, _ archive: LoadingArchive? = nil) {
        guard let (path, before) = current else { return }
        let lines = counts.lines - before.lines
        let rejected = counts.rejected.values.reduce(0, +) - before.rejected.values.reduce(0, +)
        report(.archiveEnded(path: path, lines: lines, rejected: rejected))
        current = nil
        guard let archive, lines > 0 else { return }
        run.summary.loads.append(
            ArchiveLoad(
                path: path, id: archive.id, lines: (archive.lines - Int64(lines) + 1)...archive.lines,
                rejectedLines: rejected, rejectedDocuments: counts.rejectedDocuments - before.rejectedDocuments))
    }

    func advance(to position: ReadingPosition, lines: Int) {
        progress.consumedBytes = position.consumedBytes
        progress.lines = lines
        report(.progress(progress))
    }

    func known(path: String, name: String) {
        run.summary.archives += 1
        run.summary.knownArchives += 1
        report(.alreadyLoaded(path: path, name: name))
    }

    /// Reports that an archive failed; the others are loaded.
    ///
    /// - Parameter stamp: of the archive that is damaged, before it was read.
    func fail(_ failure: MillError, stamp: FileStamp? = nil) {
        if let stamp, let path = failure.path, path != "-", failure.exitStatus == .badData {
            run.summary.damaged.append(DamagedArchive(path: path, stamp: stamp))
        }
        run.summary.failures.append(failure)
        run.summary.failedArchives += 1
        report(.failed(failure))
    }
}
