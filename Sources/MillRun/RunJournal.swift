internal import DatabaseCare
internal import Foundation
internal import MillConfiguration
internal import MillDatabase
internal import MillStatus
internal import MillSystem
internal import ReceiptWarehouse

/// Records how a run ended: in the run's row, in the metrics file, and in two files beside the database. Of these two,
/// the mark records a fault of the database, and the note a failure that no row states.
struct RunJournal {
    private let database: String
    private let metrics: String?
    /// The pipeline file whose folders the metrics describe; nil for a run without one.
    private let pipeline: Pipeline?
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - database: the path of the database.
    ///   - metrics: the path of a file for node_exporter's textfile collector; nil writes none.
    ///   - pipeline: the pipeline file whose folders the metrics describe; nil for a run without one.
    init(database: String, metrics: String?, pipeline: Pipeline? = nil) {
        (self.database, self.metrics, self.pipeline) = (database, metrics, pipeline)
    }

    /// Makes sure that a failure of a pipeline file's run can be recorded even if the disk is full by then.
    func begin() {
        if pipeline != nil { FailureNote.reserve(of: database) }
    }

    /// Records the end of a run that has come to its last step.
    func end(_ context: RunContext) throws(MillError) {
        FaultMark(of: database).leave(for: context.summary.failures, isOurs: true)
        writeMetrics(context)
        try context.updateRecord(context.summary.outcome, isEnd: true, because: context.summary.reason)
        if context.summary.outcome == .done { FailureNote.clear(of: database) }
        context.report(.ended(context.summary.outcome))
    }

    /// Records that a failure has ended the run.
    ///
    /// - Parameter context: nil if the database could not be opened.
    func end(_ context: RunContext?, by failure: MillError) {
        let reason = failure.reason(of: (context?.summary.failures.count ?? 0) + 1)
        if let context, let record = context.record {
            if failure.code == .databaseLocked { context.database.waitAsUsual() }
            do throws(MillError) {
                try context.updateRecord(.failed, isEnd: true, because: reason)
            } catch {
                // The failure that ended the run also prevents the update of the row. The next run updates the row from
                // the note.
                FailureNote(of: record, reason).write(of: database)
            }
            context.report(.ended(.failed))
        } else if pipeline != nil, failure.exitStatus != .tryLater {
            // A run that could not begin has no row. Without a pipeline file, the database may be another program's
            // file.
            FailureNote(of: nil, reason).write(of: database)
        }
        FaultMark(of: database).leave(for: (context?.summary.failures ?? []) + [failure], isOurs: context != nil)
        // If another run holds the database, the metrics file belongs to that run.
        if failure.code != .databaseHeld { try? writeMetrics(nil, failure.exitStatus) }
    }

    /// Writes the metrics of a run that has come to its last step; a dry run only states that.
    func writeMetrics(_ context: RunContext) {
        guard let metrics else { return }
        context.write("metrics", to: metrics) { try writeMetrics(context.summary, context.summary.exitStatus) }
    }

    private func writeMetrics(_ summary: RunSummary?, _ status: ExitStatus?) throws {
        guard let metrics else { return }
        try Metrics(
            summary, of: database, exitStatus: status?.rawValue ?? 0,
            seconds: (ContinuousClock.now - start) / .seconds(1), endedAt: Date().timeIntervalSince1970,
            standing: OperatorStatus(of: database, pipeline)
        ).write(to: metrics)
    }
}
