internal import Foundation
internal import GRDB
package import MillConfiguration
internal import MillDatabase
package import MillSystem
package import ReceiptReports
internal import ReceiptTrust
internal import ReceiptWarehouse

/// A night's run: what a pipeline file says, done in order.
///
/// Load, then move or delete the archives, then write the reports, then raise alarms. A report that fails does not keep the others
/// from being written.
package struct PipelineRun: Sendable {
    package let pipeline: Pipeline
    /// Ends the run after the batches at hand when it is made.
    package var stop = CancellationFlag()
    /// Whether to wait for another run that holds the database.
    package var waitsForOtherRun = false
    /// Whether rejected lines are read again behind the archives: those that are kept, and others
    /// of the archives that are there.
    package var retriesRejectedLines = false

    package init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    /// What happens, worth reporting.
    package enum Event: Sendable {
        case ingest(RunEvent)
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

    /// Archives in the order of loading, with what the file says of each.
    package func archives() -> [Archive] {
        pipeline.archives.flatMap { source in
            paths(of: source).map { Archive(path: $0, source: source, isFound: source.isPattern) }
        }
    }

    package func paths(of source: ArchiveSource) -> [String] {
        source.paths(outside: Set(pipeline.archives.compactMap(\.destination).map(RealPath.of)))
    }

    /// An archive, and what the file says of it.
    package struct Archive {
        package let path: String
        package let source: ArchiveSource
        /// A pattern has found it; no one has named it.
        package let isFound: Bool
    }

    package func ingest(_ archives: [Archive]) throws(MillError) -> Ingest {
        var configuration = try LoadConfiguration(pipeline)
        configuration.stop = stop
        configuration.waitsForOtherRun = waitsForOtherRun
        var ingest = Ingest(archives: [], configuration)
        ingest.take(archives)
        ingest.retriesRejectedLines = retriesRejectedLines
        return ingest
    }

    /// - Throws: ``MillError`` where the run can't go on. What went wrong with
    ///   single archives and reports is in the summary.
    package func run(onEvent: @escaping (Event) -> Void = { _ in }) throws(MillError) -> PipelineSummary {
        do throws(MillError) {
            // What the file says is checked before anything is made.
            var ingest = try ingest([])
            let database = try ingest.configuration.open()
            putBackLeftovers(onEvent)
            let archives = archives()
            ingest.take(archives)
            let summary = try RunRecord.recording(
                PipelineSummary(IngestSummary(), database: pipeline.database), in: database
            ) { (record, summary) throws(MillError) in
                try work(ingest, archives, in: database, as: record, &summary, onEvent)
                writeMetrics(&summary, onEvent)
            }
            // The row's end goes into the log, which only a reader needs.
            _ = try? database.emptyLog()
            return summary
        } catch {
            // Those of the run that holds the database are its own.
            if error.code != .databaseHeld { try? writeMetrics(nil, error.exitStatus) }
            throw error
        }
    }

    /// Also where archives stay: a former pipeline file may have moved them.
    private func putBackLeftovers(_ onEvent: (Event) -> Void) {
        for folder in Set(pipeline.archives.map { PathParts.folder(of: $0.path) }).sorted() {
            for leftover in ProcessedFile.putBackLeftovers(in: folder) {
                let why = String(cString: strerror(leftover.fault.code))
                onEvent(.orphaned(path: leftover.aside, name: leftover.path, why: why))
            }
        }
    }

    private func work(
        _ ingest: Ingest, _ archives: [Archive], in database: LoadDatabase,
        as record: RunRecord, _ summary: inout PipelineSummary, _ onEvent: @escaping (Event) -> Void
    ) throws(MillError) {
        try database.saveExpectedVersions(pipeline.apps.map { ($0.bundle, $0.versions) })
        if let thresholds = pipeline.signals { try database.save(thresholds) }
        let former = try database.lastReceipt()
        for failure in pipeline.archives.flatMap({ $0.searchFaults() }) {
            summary.failures.append(failure)
            onEvent(.failed(failure))
        }
        try ingest.load(into: database, as: record, &summary.ingest) { onEvent(.ingest($0)) }
        dispose(archives, &summary, database, onEvent)
        do throws(MillError) {
            try stop.interrupting([database.queue]) { () throws(MillError) in
                try conclude(after: former, database, &summary, onEvent)
            }
        } catch {
            guard stop.explains(error) else { throw error }
            summary.ingest.isStopped = true
        }
        summary.logBytes = try database.emptyLog()
        summary.databaseBytes = FileStamp(path: pipeline.database)?.bytes ?? 0
        if summary.logBytes > Self.notableLogBytes { onEvent(.logHeld(bytes: summary.logBytes)) }
    }

    /// What follows the load, unless the run was asked to stop: retention, reports,
    /// alarms.
    ///
    /// - Parameter former: the number of the last receipt before this run.
    private func conclude(
        after former: Int64, _ database: LoadDatabase, _ summary: inout PipelineSummary,
        _ onEvent: @escaping (Event) -> Void
    ) throws(MillError) {
        guard !isStopped(&summary) else { return }
        if let days = pipeline.retentionDays {
            let time = Int64(Date().timeIntervalSince1970 * 1000) - Int64(days) * 86_400_000
            summary.prunedSubmissions = try database.prune(before: time)
        }
        // All see one state, and what several read is found once.
        let session = Result { try ReportSession(database: pipeline.database) }
        let queues = (try? session.get().twins)?.databases.map(\.queue) ?? []
        try stop.interrupting(queues) { () throws(MillError) in
            writeReports(in: session, &summary, onEvent)
            guard !isStopped(&summary) else { return }
            try review(after: former, database, session, &summary, onEvent)
        }
    }

    private func writeMetrics(_ summary: inout PipelineSummary, _ onEvent: (Event) -> Void) {
        do {
            try writeMetrics(summary, summary.exitStatus)
        } catch {
            fail(error, at: pipeline.metrics ?? "", &summary, onEvent)
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
        _ archives: [Archive], _ summary: inout PipelineSummary, _ database: LoadDatabase,
        _ onEvent: (Event) -> Void
    ) {
        let disposal = ArchiveDisposal(database: database, stop: stop)
        let sources = Dictionary(archives.map { ($0.path, $0.source) }) { first, _ in first }
        for archive in summary.ingest.durable {
            // The next run finds the rest known, and goes on.
            guard !isStopped(&summary) else { return }
            guard let source = sources[archive.path] else { continue }
            do throws(MillError) {
                switch try disposal.dispose(of: archive, as: source) {
                case .moved(let path, let target)?:
                    summary.movedArchives += 1
                    onEvent(.moved(path: path, to: target))
                case .deleted(let path)?:
                    summary.deletedArchives += 1
                    onEvent(.deleted(path: path))
                case .kept(let path, let lines)?:
                    summary.keptArchives += 1
                    onEvent(.kept(path: path, lines: lines))
                case nil: break
                }
            } catch {
                if stop.explains(error), isStopped(&summary) { return }
                summary.failures.append(error)
                onEvent(.failed(error))
            }
        }
    }

    private func writeReports(
        in session: Result<ReportSession, any Error>, _ summary: inout PipelineSummary, _ onEvent: (Event) -> Void
    ) {
        for report in pipeline.reports where !isStopped(&summary) { write(report, in: session, &summary, onEvent) }
        if let dashboard = pipeline.dashboard, !isStopped(&summary) {
            writeDashboard(to: dashboard, in: session, &summary, onEvent)
        }
    }

    /// Whether what is left is not to be done any more, which the summary then states.
    private func isStopped(_ summary: inout PipelineSummary) -> Bool {
        if stop.isCancelled { summary.ingest.isStopped = true }
        return summary.ingest.isStopped
    }

    /// Reports that an output could not be written, unless the run was cancelled.
    private func fail(
        _ error: any Error, at path: String, _ summary: inout PipelineSummary, _ onEvent: (Event) -> Void
    ) {
        let failure = MillError(error, at: .reporting, path: path)
        if stop.explains(failure), isStopped(&summary) { return }
        summary.failures.append(failure)
        onEvent(.failed(failure))
    }

    private func write(
        _ order: ReportOrder, in session: Result<ReportSession, any Error>, _ summary: inout PipelineSummary,
        _ onEvent: (Event) -> Void
    ) {
        do {
            let report = try pipeline.run(of: order.name, order.parameters)
            var rows = 0
            try OutputFile.write(to: order.output, mode: Self.reportMode) { sink in
                rows = try report.write(
                    in: session.get(), as: order.format, warn: { onEvent(.odd(report: order.name, $0)) }, to: sink)
            }
            summary.reports += 1
            onEvent(.reportWritten(name: order.name, output: order.output, rows: rows))
        } catch {
            fail(error, at: order.output, &summary, onEvent)
        }
    }

    private func writeDashboard(
        to path: String, in session: Result<ReportSession, any Error>, _ summary: inout PipelineSummary,
        _ onEvent: (Event) -> Void
    ) {
        do {
            let dashboard = Dashboard(try pipeline.catalog())
            try OutputFile.write(to: path, mode: Self.reportMode) {
                try dashboard.write(in: session.get(), to: $0)
            }
            onEvent(.dashboardWritten(output: path))
        } catch {
            fail(error, at: path, &summary, onEvent)
        }
    }
}

extension Ingest {
    fileprivate mutating func take(_ taken: [PipelineRun.Archive]) {
        archives = taken.map(\.path)
        found = Set(taken.filter(\.isFound).map(\.path))
    }
}
