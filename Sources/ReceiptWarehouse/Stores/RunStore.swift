internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptTrust

/// Runs: when each began, how it ended, and what it loaded.
package struct RunStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Outcomes of runs that came to their end.
    private static let ended = [RunOutcome.done, .alarm, .incomplete].map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// When the first run began, in milliseconds since 1970. Runs of a clock that was ahead don't
    /// count: they would begin later than now.
    package func first() throws(MillError) -> Int64 {
        try warehouse.value("SELECT min(started_at) FROM run WHERE started_at <= ?", [LoadProgress.now]) ?? 0
    }

    /// When the last run began that came to its end and reviewed its alarms, which tells of a jump of the clock, and
    /// all runs behind it, however they ended: a run that was stopped or failed has committed times, too. Where no run
    /// has reviewed any, when the last run began that came to its end, and all behind that one.
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
            ORDER BY run_id
            """, ["run": record.id])
    }

    /// What was loaded since the first run that was not reviewed for alarms because it did
    /// not come to its end: it was killed, stopped, or ended by a fault. The run at
    /// work is not among them.
    ///
    /// - Returns: with the identifier of the last receipt before it; nil where there is
    ///   no such run.
    package func unreviewed() throws(MillError) -> (lines: Int, rejected: Int, lastReceipt: Int64?) {
        try warehouse.row(
            """
            SELECT coalesce(sum(lines), 0), coalesce(sum(rejected), 0), min(last_receipt)
            FROM run
            WHERE \(Self.isUnreviewed)
            """, ["running": RunOutcome.running.rawValue]
        ).map { ($0[0], $0[1], $0[2]) } ?? (0, 0, nil)
    }

    /// Whether a row of `run` is one of these; `:running` is the outcome of the run at work.
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
