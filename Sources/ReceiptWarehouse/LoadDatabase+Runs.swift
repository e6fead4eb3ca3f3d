internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptTrust

extension LoadDatabase {
    /// Identifier of the last receipt; 0 where there is none.
    package func lastReceipt() throws(MillError) -> Int64 {
        try access { db in try Int64.fetchOne(db, sql: "SELECT max(receipt_id) FROM receipt") ?? 0 }
    }

    /// When the first run began, in milliseconds since 1970. Runs of a clock that was ahead don't
    /// count: they would begin later than now.
    package func firstRun() throws(MillError) -> Int64 {
        try access { db in
            try Int64.fetchOne(
                db, sql: "SELECT min(started_at) FROM run WHERE started_at <= ?", arguments: [LoadProgress.now]) ?? 0
        }
    }

    /// What was loaded since the first run that was not reviewed for alarms because it did
    /// not come to its end: it was killed, stopped, or ended by a fault. The run at
    /// work is not among them.
    ///
    /// - Returns: with the identifier of the last receipt before it; nil where there is
    ///   no such run.
    package func unreviewed() throws(MillError) -> (lines: Int, rejected: Int, lastReceipt: Int64?) {
        try access { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT coalesce(sum(lines), 0), coalesce(sum(rejected), 0), min(last_receipt)
                    FROM run
                    WHERE \(Self.isUnreviewed)
                    """,
                arguments: ["running": RunOutcome.running.rawValue])
            return row.map { ($0[0], $0[1], $0[2]) } ?? (0, 0, nil)
        }
    }

    /// Whether a row of `run` is one of these; `:running` is the outcome of the run at work.
    package static let isUnreviewed: String = {
        let ended = [RunOutcome.done, .alarm, .incomplete].map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return """
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
    }()
}
