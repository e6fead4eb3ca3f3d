internal import DatabaseCare
internal import Foundation
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse

/// A run at work: does what the pipeline file says, counts it, and reports it.
final class PipelineWork {
    let pipeline: Pipeline
    let stop: CancellationFlag
    let onEvent: (PipelineRun.Event) -> Void
    var summary: PipelineSummary
    private let settings: PipelineRun

    init(_ settings: PipelineRun, _ onEvent: @escaping (PipelineRun.Event) -> Void) {
        self.settings = settings
        self.onEvent = onEvent
        (pipeline, stop) = (settings.pipeline, settings.stop)
        summary = PipelineSummary(IngestSummary(), database: pipeline.database)
    }

    func run() throws(MillError) -> PipelineSummary {
        var opened: (ingest: Ingest, database: LoadDatabase)?
        try RunRecord.recording(
            reviewsAlarms: true, metrics: pipeline.metrics, summary: { summary },
            fail: { fail($0, at: pipeline.metrics) }, onEvent: { [onEvent] in onEvent(.ingest($0)) },
            open: { () throws(MillError) in
                // What the file says is checked before anything is made.
                let ingest = try settings.ingest([])
                let identity = IdentityFile(of: pipeline.database)
                if pipeline.createsDatabase, identity.hasVanished {
                    onEvent(.begunAnew(database: pipeline.database))
                    identity.remove()
                }
                try identity.refuseVanished()
                let database = try ingest.configuration.open { [onEvent] in onEvent(.ingest($0)) }
                try identity.refuseOther(database)
                opened = (ingest, database)
                putBackLeftovers()
                return database
            }
        ) { (database, record) throws(MillError) in
            guard let ingest = opened?.ingest else { return }
            try work(ingest, in: database, as: record)
        }
        // The row's end goes into the log, which only a reader needs.
        _ = try? opened?.database.emptyLog()
        return summary
    }

    /// Also where archives stay: a former pipeline file may have moved them.
    private func putBackLeftovers() {
        for folder in Set(pipeline.archives.map { PathParts.folder(of: $0.path) }).sorted() {
            for leftover in ProcessedFile.putBackLeftovers(in: folder) {
                onEvent(.orphaned(path: leftover.aside, name: leftover.path, why: leftover.fault.text))
            }
        }
        // Copies that were not finished: looked for once, and not for each archive that is moved.
        for folder in Set(pipeline.archives.compactMap(\.destination)) { OutputFile.removeLeftovers(in: folder) }
    }

    private func work(_ ingest: Ingest, in database: LoadDatabase, as record: RunRecord) throws(MillError) {
        var ingest = ingest
        let archives = settings.archives()
        ingest.take(archives)
        try database.saveExpectedVersions(pipeline.apps.map { ($0.bundle, $0.versions) })
        if let thresholds = pipeline.signals { try database.save(thresholds) }
        if let fraud = pipeline.fraud {
            try database.save(fraud.allowed, under: ingest.configuration.pseudonyms)
        }
        if let zone = pipeline.timeZone { try database.save(timeZone: zone) }
        if let prices = pipeline.prices { try database.save(try PriceList.listed(inFile: prices)) }
        let former = try database.lastReceipt()
        for failure in pipeline.archives.flatMap({ $0.searchFaults() }) { fail(failure) }
        try ingest.load(into: database, as: record, &summary.ingest) { [onEvent] in onEvent(.ingest($0)) }
        dispose(archives, database)
        expire(database)
        do throws(MillError) {
            try stop.interrupting([database.queue]) { () throws(MillError) in
                try conclude(after: former, database, ingest.configuration, record)
            }
        } catch {
            guard stop.explains(error) else { throw error }
            summary.ingest.isStopped = true
        }
        summary.logBytes = try database.emptyLog()
        summary.databaseBytes = FileStamp(path: pipeline.database)?.bytes ?? 0
        if summary.logBytes > Self.notableLogBytes { onEvent(.logHeld(bytes: summary.logBytes)) }
    }

    /// A log that a run leaves is emptied by the next; one this large says that a
    /// reader has held on to it for long.
    private static let notableLogBytes: Int64 = 256 << 20

    private func dispose(_ archives: [PipelineRun.Archive], _ database: LoadDatabase) {
        let disposal = ArchiveDisposal(database: database, stop: stop)
        let sources = Dictionary(archives.map { ($0.path, $0.source) }) { first, _ in first }
        for archive in summary.ingest.durable {
            // The next run finds the rest known, and goes on.
            guard !isStopped() else { return }
            guard let source = sources[archive.path] else { continue }
            do throws(MillError) {
                guard let event = try disposal.dispose(of: archive, as: source) else { continue }
                switch event {
                case .moved: summary.movedArchives += 1
                case .deleted: summary.deletedArchives += 1
                default: summary.keptArchives += 1
                }
                onEvent(event)
            } catch {
                fail(error)
            }
        }
        for archive in summary.ingest.damaged {
            guard !isStopped(), let source = sources[archive.path] else { continue }
            do throws(MillError) {
                if let event = try disposal.quarantine(archive, as: source) { onEvent(event) }
            } catch {
                fail(error)
            }
        }
    }

    /// What follows the load, unless the run was cancelled: retention, models, reports, alarms.
    ///
    /// - Parameter former: the identifier of the last receipt before this run.
    private func conclude(
        after former: Int64, _ database: LoadDatabase, _ configuration: LoadConfiguration, _ record: RunRecord
    ) throws(MillError) {
        guard !isStopped() else { return }
        if let days = pipeline.retentionDays {
            summary.prunedSubmissions = try database.prune(before: LoadProgress.now - Int64(days) * 86_400_000)
        }
        try configuration.refresh(database, foundBy: record, &summary.ingest)
        guard !isStopped() else { return }
        // All see one state, and what several read is found once.
        let session = Result { try ReportSession(database: pipeline.database) }
        let queues = (try? session.get().snapshots)?.databases.map(\.queue) ?? []
        try stop.interrupting(queues) { () throws(MillError) in
            for report in pipeline.reports where !isStopped() { write(report, in: session) }
            if let dashboard = pipeline.dashboard, !isStopped() { writeDashboard(to: dashboard, in: session) }
            guard !isStopped() else { return }
            try review(after: former, database, session)
        }
    }

    /// Whether the run was cancelled; the summary then states it.
    func isStopped() -> Bool {
        if stop.isCancelled { summary.ingest.isStopped = true }
        return summary.ingest.isStopped
    }

    /// Reports that part of the run failed, unless the run was cancelled.
    ///
    /// - Parameter path: of what could not be written.
    func fail(_ error: any Error, at path: String? = nil) {
        let failure = MillError(error, at: .reporting, path: path)
        if stop.explains(failure), isStopped() { return }
        summary.failures.append(failure)
        onEvent(.failed(failure))
    }

    private func write(_ order: ReportOrder, in session: Result<ReportSession, any Error>) {
        do {
            let report = try pipeline.run(of: order.name, order.parameters)
            var rows = 0
            try OutputFile.write(to: order.output) { sink in
                rows = try report.write(
                    in: session.get(), as: order.format, warn: { onEvent(.odd(report: order.name, $0)) }, to: sink)
            }
            summary.reports += 1
            onEvent(.reportWritten(name: order.name, output: order.output, rows: rows))
        } catch {
            fail(error, at: order.output)
        }
    }

    private func writeDashboard(to path: String, in session: Result<ReportSession, any Error>) {
        do {
            let dashboard = Dashboard(try pipeline.catalog())
            try OutputFile.write(to: path) {
                try dashboard.write(in: session.get(), warn: { onEvent(.odd(report: "dashboard", $0)) }, to: $0)
            }
            onEvent(.dashboardWritten(output: path))
        } catch {
            fail(error, at: path)
        }
    }
}
