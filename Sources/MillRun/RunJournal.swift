internal import Foundation
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// How a run is remembered: by its row in the database, by its metrics, and by the mark that a fault of the database
/// leaves beside it.
struct RunJournal {
    private let database: String
    private let metrics: String?
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - database: its path.
    ///   - metrics: path of a file for node_exporter's textfile collector; nil writes none.
    init(database: String, metrics: String?) {
        (self.database, self.metrics) = (database, metrics)
    }

    /// Records the end of a run that has come to its last step.
    func end(_ context: RunContext) throws(MillError) {
        FaultMark(of: database).leave(for: context.summary.failures, isOurs: true)
        do {
            try writeMetrics(context.summary, context.summary.exitStatus)
        } catch {
            context.fail(error, at: metrics)
        }
        try context.updateRecord(context.summary.outcome, isEnd: true)
        context.report(.ended(context.summary.outcome))
    }

    /// Records that a failure has ended the run.
    ///
    /// - Parameter context: nil where the database could not be opened.
    func end(_ context: RunContext?, by failure: MillError) {
        if let context, context.record != nil {
            if failure.code == .databaseLocked { context.database.endPatience() }
            // What stopped the run may stop this too; the next run then marks the row.
            try? context.updateRecord(.failed, isEnd: true)
            context.report(.ended(.failed))
        }
        FaultMark(of: database).leave(for: (context?.summary.failures ?? []) + [failure], isOurs: context != nil)
        // Metrics of the run that holds the database are its own.
        if failure.code != .databaseHeld { try? writeMetrics(nil, failure.exitStatus) }
    }

    private func writeMetrics(_ summary: RunSummary?, _ status: ExitStatus?) throws {
        guard let metrics else { return }
        try Metrics(
            summary, of: database, exitStatus: status?.rawValue ?? 0,
            seconds: (ContinuousClock.now - start) / .seconds(1), endedAt: Date().timeIntervalSince1970
        ).write(to: metrics)
    }

    func plan(in context: RunContext) {
        guard let metrics else { return }
        context.plan.add("metrics to \(metrics)", to: .outputs) { () throws(MillError) in
            try OutputFile.refuseUnwritable(metrics)
        }
    }
}
