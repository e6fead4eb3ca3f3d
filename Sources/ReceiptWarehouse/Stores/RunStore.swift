internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptTrust

/// The runs: their beginning, their outcome, and their counts.
package struct RunStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Outcomes of runs that did all their steps, as an SQL list.
    private static let ended = [RunOutcome.done, .alarm, .incomplete].map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// When the first run began, in milliseconds since 1970. Runs that seem to begin in the future are ignored, because
    /// their clock was fast.
    package func first() throws(MillError) -> Int64 {
        try warehouse.value("SELECT min(started_at) FROM run WHERE started_at <= ?", [LoadProgress.now]) ?? 0
    }

    /// The times at which earlier runs began, starting with the last run that ended and reviewed its alarms, since the
    /// review reports a jump of the clock. All later runs count, because a stopped or failed run has committed times,
    /// too. If no run has reviewed alarms, the times start with the last run that ended. They never go back beyond a
    /// run for which a person confirmed the clock.
    package func times(before record: RunRecord) throws(MillError) -> [Int64] {
        try warehouse.values(
            """
            SELECT started_at
            FROM run
            WHERE run_id < :run
                AND run_id >= coalesce(
                    (SELECT max(run_id) FROM run
                     WHERE reviews_alarms AND outcome IN (\(Self.ended)) AND run_id < :run),
                    (SELECT max(run_id) FROM run WHERE outcome IN (\(Self.ended)) AND run_id < :run), 0)
                AND run_id >= coalesce((SELECT max(run_id) FROM run WHERE confirms_clock AND run_id < :run), 0)
            ORDER BY run_id
            """, ["run": record.id])
    }

    /// The counts of lines since the first run that was not reviewed for alarms because it was killed, stopped or ended
    /// by a fault. The current run is not counted.
    ///
    /// - Returns: also the identifier of the last receipt before that run; nil if every run was reviewed.
    package func unreviewed() throws(MillError) -> (lines: Int, rejected: Int, lastReceipt: Int64?) {
        try warehouse.row(
            """
            SELECT coalesce(sum(lines), 0), coalesce(sum(rejected), 0), min(last_receipt)
            FROM run
            WHERE \(Self.isUnreviewed)
            """, ["running": RunOutcome.running.rawValue]
        ).map { ($0[0], $0[1], $0[2]) } ?? (0, 0, nil)
    }

    /// The condition that a row of `run` belongs to a run that ``unreviewed()`` counts; `:running` is the outcome of an
    /// active run.
    package static let isUnreviewed = """
        outcome <> :running
        AND run_id >= (
            SELECT min(run_id) FROM run
            WHERE outcome NOT IN (:running, \(ended))
                AND run_id > (
                    SELECT coalesce(max(run_id), 0) FROM run
                    WHERE reviews_alarms AND outcome IN (\(ended))
                )
        )
        """
}
