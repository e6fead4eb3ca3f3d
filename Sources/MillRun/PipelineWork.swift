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
    private let identity: IdentityFile

    init(_ settings: PipelineRun, _ onEvent: @escaping (PipelineRun.Event) -> Void) {
        self.settings = settings
        self.onEvent = onEvent
        (pipeline, stop) = (settings.pipeline, settings.stop)
        identity = IdentityFile(of: pipeline.database)
        summary = PipelineSummary(IngestSummary(), database: pipeline.database)
    }

    func run() throws(MillError) -> PipelineSummary {
        var opened: (ingest: Ingest, database: Warehouse)?
        do throws(MillError) {
            try RunRecord.recording(
                in: pipeline.database, reviewsAlarms: true, metrics: pipeline.metrics, summary: { summary },
                fail: { fail($0, at: pipeline.metrics) }, onEvent: { [onEvent] in onEvent(.ingest($0)) },
                open: { () throws(MillError) in
                    // What the file says is checked before anything is made.
                    let ingest = try settings.ingest([])
                    let database = try open(ingest)
                    opened = (ingest, database)
                    putBackLeftovers()
                    return database
                }
            ) { (database, record) throws(MillError) in
                guard let ingest = opened?.ingest else { return }
                try work(ingest, in: database, as: record)
            }
        } catch {
            throw advised(error)
        }
        // The row's end goes into the log, which only a reader needs.
        _ = try? opened?.database.emptyLog()
        return summary
    }

    private func open(_ ingest: Ingest) throws(MillError) -> Warehouse {
        if pipeline.createsDatabase, identity.hasVanished {
            onEvent(.begunAnew(database: pipeline.database))
            identity.remove()
        }
        try identity.refuseVanished()
        let database = try ingest.configuration.open { [onEvent] in onEvent(.ingest($0)) }
        if let path = identity.lost { onEvent(.identityLost(path: path)) }
        try identity.refuseOther(database)
        return database
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

    private func work(_ ingest: Ingest, in database: Warehouse, as record: RunRecord) throws(MillError) {
        var ingest = ingest
        let clock = try ingest.configuration.clock(of: record, database)
        var archives = try compareMoved(database) + settings.archives()
        let unfit = try Preflight(database: database, configuration: ingest.configuration).unfit(archives.map(\.path))
        archives.leaveOut(unfit)
        ingest.take(archives)
        try database.settings.saveExpectedVersions(pipeline.apps.map { ($0.bundle, $0.versions) })
        if let thresholds = pipeline.signals { try database.settings.save(thresholds) }
        if let fraud = pipeline.fraud {
            try database.settings.saveAllowed(fraud.allowed.stored(under: ingest.configuration.pseudonyms))
        }
        if let zone = pipeline.timeZone { try database.settings.save(timeZone: zone) }
        if let prices = pipeline.prices { try database.settings.save(try ListedPrice.list(inFile: prices)) }
        let former = try database.documents.last()
        for failure in pipeline.archives.flatMap({ $0.searchFaults() }) + unfit { failEarly(failure) }
        for folder in settings.passedOver() { onEvent(.ingest(.passedOver(folder: folder))) }
        try ingest.load(into: database, as: record, &summary.ingest) { [onEvent] in onEvent(.ingest($0)) }
        if settings.reloadsMoved { try compareLines(database) }
        do throws(MillError) {
            try stop.interrupting([database.queue]) { () throws(MillError) in
                try conclude(after: former, clock, database, ingest.configuration, record)
            }
        } catch {
            guard stop.explains(error) else { throw error }
            summary.ingest.isStopped = true
        }
        summary.logBytes = try database.emptyLog()
        summary.databaseBytes = FileStamp(path: pipeline.database)?.bytes ?? 0
        if summary.logBytes > Self.notableLogBytes { onEvent(.logHeld(bytes: summary.logBytes)) }
        let stamp = try database.stamp()
        do throws(MillError) { try identity.remember(stamp) } catch { fail(error) }
        // Behind all that can meet a fault of the database.
        giveAway(archives, clock: clock, database)
    }

    /// Holds the database against how the last run left it, and against what lies where archives are moved.
    ///
    /// - Returns: what of that is to be loaded again.
    private func compareMoved(_ database: Warehouse) throws(MillError) -> [PipelineRun.Archive] {
        let moved = MovedArchives(pipeline: pipeline, database: database, stop: stop)
        let unknown: [MovedArchives.Unknown]
        do throws(MillError) {
            unknown = try moved.unknown(remembering: true)
        } catch {
            guard stop.isCancelled, error.exitStatus == .tryLater else { throw error }
            return []
        }
        guard settings.reloadsMoved else {
            try compareLines(database)
            for fault in moved.faults(of: unknown) { failEarly(fault) }
            return []
        }
        onEvent(.reloading(archives: unknown.count))
        return unknown.map { PipelineRun.Archive(path: $0.path, source: $0.source) }
    }

    private func compareLines(_ database: Warehouse) throws(MillError) {
        if let fault = try identity.faultOfOlderCopy(database, pipeline) { failEarly(fault) }
    }

    /// A log that a run leaves is emptied by the next; one this large says that a
    /// reader has held on to it for long.
    private static let notableLogBytes: Int64 = 256 << 20

    /// What follows the load, unless the run was cancelled: retention, models, reports, alarms.
    ///
    /// - Parameter former: the identifier of the last receipt before this run.
    private func conclude(
        after former: Int64, _ clock: RunClock, _ database: Warehouse, _ configuration: LoadConfiguration,
        _ record: RunRecord
    ) throws(MillError) {
        guard !isStopped() else { return }
        let untrusted = try UntrustedLines(of: summary.ingest, allowing: pipeline.alarms.untrustedShare, database)
        if let days = pipeline.retentionDays, let cutoff = clock.cutoff(days: days) {
            let count = try Retention.prune(database, before: cutoff)
            summary.prunedSubmissions = count
            if count > 0 { onEvent(.aged(Aged(kind: .submissions, count: count, days: days, before: cutoff))) }
        }
        try configuration.refresh(database, foundBy: record, &summary.ingest)
        guard !isStopped() else { return }
        // All see one state.
        let session = Result { try ReportSession(database: pipeline.database) }
        let queues = (try? session.get()).map { [$0.queue] } ?? []
        try stop.interrupting(queues) { () throws(MillError) in
            for report in pipeline.reports where !isStopped() { write(report, in: session) }
            if let dashboard = pipeline.dashboard, !isStopped() { writeDashboard(to: dashboard, in: session) }
            guard !isStopped() else { return }
            try review(after: former, clock, untrusted, database, session)
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
        let failure = advised(MillError(error, at: .reporting, path: path))
        if stop.explains(failure), isStopped() { return }
        summary.failures.append(failure)
        onEvent(.failed(failure))
    }

    /// The same of what was wrong before the load.
    private func failEarly(_ failure: MillError) {
        summary.earlyFailures.append(failure)
        onEvent(.failed(failure))
    }

    /// A failure with what to do about it here.
    private func advised(_ failure: MillError) -> MillError {
        guard failure.code == .databaseDamaged else { return failure }
        var failure = failure
        failure.hint = pipeline.hintOnDamage
        return failure
    }

    private func write(_ order: ReportOrder, in session: Result<ReportSession, any Error>) {
        do {
            let today = RelativeTime.today(of: session)
            let report = try pipeline.run(of: order.name, order.parameters, today: today)
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
