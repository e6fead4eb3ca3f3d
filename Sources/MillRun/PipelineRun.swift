internal import Foundation
internal import GRDB
package import MillConfiguration
internal import MillDatabase
package import MillSystem
package import ReceiptReports
internal import ReceiptTrust

/// A night's run: what a pipeline file says, done in order.
///
/// Load, then take care of the archives, then write the reports, then look for
/// what somebody has to be told. A report that fails does not keep the others
/// from being written.
package struct PipelineRun: Sendable {
    package let pipeline: Pipeline
    /// Ends the run after the batches at hand when it is made.
    package var stop = CancellationFlag()
    /// Whether to wait for another run that holds the database.
    package var waitsForOtherRun = false
    /// Whether lines that were rejected are read again, of archives that were
    /// loaded before: those that are there, and those that were moved.
    package var readsRejectedAgain = false

    package init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    /// What happens, worth telling.
    package enum Event: Sendable {
        case ingest(Ingest.Event)
        case moved(path: String, to: String)
        case deleted(path: String)
        /// An archive was not deleted: rejected lines of it would be lost.
        case kept(path: String, lines: Int)
        case reportWritten(name: String, output: String, rows: Int)
        case dashboardWritten(output: String)
        /// What a report or an alarm asks for is likely not what was meant.
        case odd(report: String, ReportWarning)
        /// An archive that a killed run took aside does not get its name back.
        case orphaned(path: String, name: String, why: String)
        /// Part of the run failed; the rest goes on.
        case failed(MillError)
        case alarm(Alarm)
        /// Readers keep SQLite from emptying its log.
        case logHeld(bytes: Int64)
    }

    /// Archives in the order of loading, with what the file says of each. Those
    /// that were moved come first where rejected lines are read again.
    func archives() -> [Archive] {
        pipeline.archives.flatMap { source in
            (readsRejectedAgain
                ? source.movedPaths().map { Archive(path: $0, source: source.kept, isFound: true) } : [])
                + paths(of: source).map { Archive(path: $0, source: source, isFound: source.isPattern) }
        }
    }

    func paths(of source: ArchiveSource) -> [String] {
        source.paths(outside: Set(pipeline.archives.compactMap(\.destination).map(RealPath.of)))
    }

    /// An archive, and what the file says of it.
    struct Archive {
        let path: String
        let source: ArchiveSource
        /// Nobody has named it: a pattern has found it.
        let isFound: Bool
    }

    func ingest(_ archives: [Archive]) throws(MillError) -> Ingest {
        var ingest = Ingest(archives: [], database: pipeline.database)
        ingest.take(archives)
        ingest.anchors = try pipeline.anchors()
        ingest.intermediates = try IssuerCertificates(files: pipeline.trust.intermediates)
        ingest.keys = pipeline.lines
        ingest.limits = pipeline.limits
        ingest.apps = pipeline.apps.map {
            AppSetting(bundleID: $0.bundle, firstFreeVersion: $0.firstFreeVersion, platform: $0.platform)
        }
        if let jobs = pipeline.jobs { ingest.jobs = jobs }
        ingest.keepsReceipts = pipeline.keepsReceipts
        if let key = pipeline.pseudonymKey { ingest.pseudonyms = try Pseudonyms(keyFile: key) }
        ingest.rejects = pipeline.rejects
        ingest.rejectsCommand = pipeline.rejects.map(pipeline.commandLoading)
        ingest.readsRejectedAgain = readsRejectedAgain
        ingest.stop = stop
        ingest.waitsForOtherRun = waitsForOtherRun
        return ingest
    }

    /// - Throws: ``MillError`` where the run can't go on. What went wrong with
    ///   single archives and reports is in the summary.
    package func run(onEvent tell: @escaping (Event) -> Void = { _ in }) throws(MillError) -> PipelineSummary {
        do throws(MillError) {
            // What the file says is judged before anything is made.
            var ingest = try ingest([])
            let loadDatabase = try LoadDatabase(path: pipeline.database, waiting: waitsForOtherRun ? stop : nil)
            putBackLeftovers(tell)
            let archives = archives()
            ingest.take(archives)
            let summary = try RunRecord.recording(
                PipelineSummary(IngestSummary(), database: pipeline.database), in: loadDatabase
            ) { (record, summary) throws(MillError) in
                try work(ingest, archives, in: loadDatabase, as: record, &summary, tell)
                writeMetrics(&summary, tell)
            }
            // The row's last words go into the log, which nobody but a reader needs.
            _ = try? loadDatabase.emptyLog()
            return summary
        } catch {
            // Those of the run that holds the database are its own.
            if error != RunLock.held(pipeline.database) { try? writeMetrics(nil, error.exitStatus) }
            throw error
        }
    }

    /// Also where archives stay: a former pipeline file may have moved them.
    private func putBackLeftovers(_ tell: (Event) -> Void) {
        for folder in Set(pipeline.archives.map { PathParts.folder(of: $0.path) }).sorted() {
            for leftover in ProcessedFile.putBackLeftovers(in: folder) {
                let why = String(cString: strerror(leftover.fault.code))
                tell(.orphaned(path: leftover.aside, name: leftover.path, why: why))
            }
        }
    }

    private func work(
        _ ingest: Ingest, _ archives: [Archive], in loadDatabase: LoadDatabase,
        as record: RunRecord, _ summary: inout PipelineSummary, _ tell: @escaping (Event) -> Void
    ) throws(MillError) {
        try loadDatabase.saveExpectedVersions(pipeline.apps)
        if let thresholds = pipeline.signals { try loadDatabase.save(thresholds) }
        let former = try loadDatabase.lastReceipt()
        for failure in pipeline.archives.flatMap({ $0.searchFaults() }) {
            summary.failures.append(failure)
            tell(.failed(failure))
        }
        try ingest.load(into: loadDatabase, as: record, &summary.ingest) { tell(.ingest($0)) }
        dispose(archives, &summary, loadDatabase, tell)
        do throws(MillError) {
            try stop.interrupting([loadDatabase.queue]) { () throws(MillError) in
                try conclude(after: former, loadDatabase, &summary, tell)
            }
        } catch {
            guard stop.explains(error) else { throw error }
            summary.ingest.isStopped = true
        }
        summary.logBytes = try loadDatabase.emptyLog()
        summary.databaseBytes = FileStamp(path: pipeline.database)?.bytes ?? 0
        if summary.logBytes > Self.notableLogBytes { tell(.logHeld(bytes: summary.logBytes)) }
    }

    /// What follows the load, unless the run was asked to stop: retention, reports,
    /// alarms.
    ///
    /// - Parameter former: the number of the last receipt before this run.
    private func conclude(
        after former: Int64, _ loadDatabase: LoadDatabase, _ summary: inout PipelineSummary,
        _ tell: @escaping (Event) -> Void
    ) throws(MillError) {
        guard !isStopped(&summary) else { return }
        if let days = pipeline.retentionDays {
            let time = Int64(Date().timeIntervalSince1970 * 1000) - Int64(days) * 86_400_000
            summary.prunedSubmissions = try loadDatabase.prune(before: time)
        }
        // All see one state, and what several read is found once.
        let session = Result { try ReportSession(database: pipeline.database) }
        let queues = (try? session.get().twins)?.databases.map(\.queue) ?? []
        try stop.interrupting(queues) { () throws(MillError) in
            writeReports(in: session, &summary, tell)
            guard !isStopped(&summary) else { return }
            try judge(after: former, loadDatabase, session, &summary, tell)
        }
    }

    private func writeMetrics(_ summary: inout PipelineSummary, _ tell: (Event) -> Void) {
        do {
            try writeMetrics(summary, summary.exitStatus)
        } catch {
            fail(error, at: pipeline.metrics ?? "", &summary, tell)
        }
    }

    private func writeMetrics(_ summary: PipelineSummary?, _ status: ExitStatus?) throws {
        guard let path = pipeline.metrics else { return }
        try Metrics(summary, exitStatus: status?.rawValue ?? 0, endedAt: Date().timeIntervalSince1970).write(to: path)
    }

    /// Reports are read by others than the database's owner: by the group.
    private static let reportMode: mode_t = 0o640

    /// A log that a run leaves is emptied by the next; one this large says that a
    /// reader has held on to it for long.
    private static let notableLogBytes: Int64 = 256 << 20

    private func dispose(
        _ archives: [Archive], _ summary: inout PipelineSummary, _ loadDatabase: LoadDatabase,
        _ tell: (Event) -> Void
    ) {
        let disposal = ArchiveDisposal(loadDatabase: loadDatabase, stop: stop)
        let sources = Dictionary(archives.map { ($0.path, $0.source) }) { first, _ in first }
        for archive in summary.ingest.settled {
            // The next run finds the rest known, and goes on.
            guard !isStopped(&summary) else { return }
            guard let source = sources[archive.path] else { continue }
            do throws(MillError) {
                switch try disposal.dispose(of: archive, as: source) {
                case .moved(let path, let target)?:
                    summary.movedArchives += 1
                    tell(.moved(path: path, to: target))
                case .deleted(let path)?:
                    summary.deletedArchives += 1
                    tell(.deleted(path: path))
                case .kept(let path, let lines)?:
                    summary.keptArchives += 1
                    tell(.kept(path: path, lines: lines))
                case nil: break
                }
            } catch {
                if stop.explains(error), isStopped(&summary) { return }
                summary.failures.append(error)
                tell(.failed(error))
            }
        }
    }

    private func writeReports(
        in session: Result<ReportSession, any Error>, _ summary: inout PipelineSummary, _ tell: (Event) -> Void
    ) {
        for report in pipeline.reports where !isStopped(&summary) { write(report, in: session, &summary, tell) }
        if let dashboard = pipeline.dashboard, !isStopped(&summary) {
            writeDashboard(to: dashboard, in: session, &summary, tell)
        }
    }

    /// Whether what is left is not to be done any more, which the summary then tells.
    private func isStopped(_ summary: inout PipelineSummary) -> Bool {
        if stop.isMade { summary.ingest.isStopped = true }
        return summary.ingest.isStopped
    }

    /// Tells that an output could not be written, unless the run was asked to stop.
    private func fail(
        _ error: any Error, at path: String, _ summary: inout PipelineSummary, _ tell: (Event) -> Void
    ) {
        let failure = MillError(error, path: path)
        if stop.explains(failure), isStopped(&summary) { return }
        summary.failures.append(failure)
        tell(.failed(failure))
    }

    private func write(
        _ order: ReportOrder, in session: Result<ReportSession, any Error>, _ summary: inout PipelineSummary,
        _ tell: (Event) -> Void
    ) {
        do {
            let report = try pipeline.run(of: order.name, order.parameters)
            var rows = 0
            try OutputFile.write(to: order.output, mode: Self.reportMode) { sink in
                rows = try report.write(
                    in: session.get(), as: order.format, warn: { tell(.odd(report: order.name, $0)) }, to: sink)
            }
            summary.reports += 1
            tell(.reportWritten(name: order.name, output: order.output, rows: rows))
        } catch {
            fail(error, at: order.output, &summary, tell)
        }
    }

    private func writeDashboard(
        to path: String, in session: Result<ReportSession, any Error>, _ summary: inout PipelineSummary,
        _ tell: (Event) -> Void
    ) {
        do {
            let dashboard = Dashboard(try pipeline.catalog())
            try OutputFile.write(to: path, mode: Self.reportMode) {
                try dashboard.write(in: session.get(), to: $0)
            }
            tell(.dashboardWritten(output: path))
        } catch {
            fail(error, at: path, &summary, tell)
        }
    }
}

extension Ingest {
    fileprivate mutating func take(_ taken: [PipelineRun.Archive]) {
        archives = taken.map(\.path)
        found = Set(taken.filter(\.isFound).map(\.path))
    }
}
