internal import Foundation
internal import MillSystem
internal import ReceiptWarehouse

extension RunRecord {
    /// Opens the database and does a run's work under a row that says how it ended, then writes
    /// the metrics.
    ///
    /// - Parameters:
    ///   - reviewsAlarms: whether such a run ends by reviewing what was loaded for alarms.
    ///   - path: of the database.
    ///   - metrics: path of a file for node_exporter's textfile collector; nil writes none.
    ///   - summary: what the run has done so far.
    ///   - fail: takes why the metrics can't be written into that summary.
    ///   - onEvent: takes the run's begin and end.
    static func recording(
        in path: String, reviewsAlarms: Bool, metrics: String?, summary: () -> PipelineSummary,
        fail: (any Error) -> Void, onEvent: (RunEvent) -> Void, open: () throws(MillError) -> Warehouse,
        _ work: (Warehouse, RunRecord) throws(MillError) -> Void
    ) throws(MillError) {
        let start = ContinuousClock.now
        func writeMetrics(_ summary: PipelineSummary?, _ status: ExitStatus?) throws {
            guard let metrics else { return }
            try Metrics(
                summary, exitStatus: status?.rawValue ?? 0, seconds: (ContinuousClock.now - start) / .seconds(1),
                endedAt: Date().timeIntervalSince1970
            ).write(to: metrics)
        }
        var isOurs = false
        do throws(MillError) {
            let database = try open()
            isOurs = true
            let record = try RunRecord(database, reviewsAlarms: reviewsAlarms)
            onEvent(.began(run: record.id))
            do throws(MillError) {
                try work(database, record)
                let done = summary()
                FaultMark(of: path).leave(for: done.allFailures, isOurs: isOurs)
                do { try writeMetrics(done, done.exitStatus) } catch { fail(error) }
                try record.update(summary().outcome, summary().ingest, isEnd: true, database)
                onEvent(.ended(summary().outcome))
            } catch {
                if error.code == .databaseLocked { database.endPatience() }
                // What stopped the run may stop this too; the next run then marks it.
                try? record.update(.failed, summary().ingest, isEnd: true, database)
                onEvent(.ended(.failed))
                throw error
            }
        } catch {
            FaultMark(of: path).leave(for: summary().allFailures + [error], isOurs: isOurs)
            // Those of the run that holds the database are its own.
            if error.code != .databaseHeld { try? writeMetrics(nil, error.exitStatus) }
            throw error
        }
    }

    func update(
        _ outcome: RunOutcome, _ summary: IngestSummary, isEnd: Bool, _ database: Warehouse
    ) throws(MillError) {
        try update(
            outcome, archives: (summary.archives, summary.knownArchives, summary.failures.count), isEnd: isEnd, database
        )
    }
}
