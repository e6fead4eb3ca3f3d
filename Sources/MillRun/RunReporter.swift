internal import MillSystem
internal import ReceiptWarehouse

/// Counts the results of a load for each archive, and reports the progress to the user.
final class RunReporter {
    let run: RunContext
    private var progress = RunProgress()
    /// The current file, and the load's counts when the file was begun.
    private var current: (path: String, before: LoadCounts)?

    init(_ run: RunContext) { self.run = run }

    /// - Parameter counts: the load's counts before the file.
    func begin(_ file: OpenedFile, _ counts: LoadCounts) {
        progress.begin(file)
        current = (file.path, counts)
        run.log(.debug, "\(PathParts.shown(file.path)): begins", ["archive": file.path, "bytes": file.bytes])
    }

    /// Ends the current file.
    ///
    /// - Parameter archive: the state of the loaded archive; nil if the file itself is not an archive.
    func endArchive(_ counts: LoadCounts, _ archive: LoadingArchive? = nil) {
        guard let (path, before) = current else { return }
        let lines = counts.lines - before.lines
        let rejected = counts.rejectedLines - before.rejectedLines
        run.log(
            .info, "\(PathParts.shown(path)): \(lines) lines, \(rejected) of them rejected",
            ["archive": path, "lines": lines, "rejected": rejected])
        current = nil
        guard let archive, lines > 0 else { return }
        run.summary.loads.append(
            ArchiveLoad(
                path: path, id: archive.id, lines: (archive.lines - Int64(lines) + 1)...archive.lines,
                rejectedLines: rejected, rejectedDocuments: counts.rejectedDocuments - before.rejectedDocuments))
    }

    func advance(to position: ReadingPosition, _ counts: LoadCounts) {
        progress.counts = counts
        progress.advance(to: position)
        run.report(.progress(progress))
    }

    /// - Parameter name: the name under which the archive's content was loaded before.
    func known(path: String, name: String) {
        run.summary.archives += 1
        run.summary.knownArchives += 1
        let known = path.hasSuffix(name) ? "" : " as \(name)"
        run.log(.notice, "\(PathParts.shown(path)): loaded before\(known), nothing to do", ["archive": path])
    }

    /// Reports that an archive failed; other archives are still loaded.
    ///
    /// - Parameter stamp: the stamp of a damaged archive, taken before the archive was read.
    func fail(_ failure: MillError, stamp: FileStamp? = nil) {
        if let stamp, let path = failure.path, path != "-", failure.exitStatus == .badData {
            run.summary.damaged.append(DamagedFile(path: path, stamp: stamp))
        }
        run.summary.failures.append(failure)
        run.summary.failedArchives += 1
        run.report(.failed(failure))
    }
}
