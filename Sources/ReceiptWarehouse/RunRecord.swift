internal import Foundation
package import GRDB
package import MillSystem

/// The outcome of a run, as the view `runs` shows it.
package enum RunOutcome: String, Sendable, Hashable, CaseIterable {
    /// The run is at work.
    case running
    /// Every archive was loaded to its end, and every other step was done.
    case done
    /// Every step was done, but something needs attention: an alarm of the pipeline file, or more rejected lines than
    /// were allowed.
    case alarm
    /// A part failed and the rest was done: an archive is missing or damaged, or a report can't be written.
    case incomplete
    /// A signal cancelled the run; the next one continues.
    case stopped
    /// A fault ended the run; the next one continues from the last commit.
    case failed
    /// The run recorded no end: it was killed, ran out of memory, or the machine was reset.
    case interrupted
}

/// The row of `run` that describes a run at work.
package struct RunRecord {
    package let id: Int64

    /// Begins a row, and marks the rows of runs that recorded no end: the lock guarantees that none of them is still at
    /// work.
    package init(_ database: Warehouse, reviewsAlarms: Bool) throws(MillError) {
        id = try database.access { db in
            try db.inTransaction {
                try db.execute(
                    sql: "UPDATE run SET outcome = ? WHERE outcome = ?",
                    arguments: [RunOutcome.interrupted.rawValue, RunOutcome.running.rawValue])
                try db.execute(
                    sql: """
                        INSERT INTO run (started_at, outcome, version, reviews_alarms, last_receipt)
                        VALUES (?, ?, ?, ?, (SELECT coalesce(max(receipt_id), 0) FROM receipt))
                        """,
                    arguments: [LoadProgress.now, RunOutcome.running.rawValue, receiptMillVersion, reviewsAlarms])
                return .commit
            }
            return db.lastInsertedRowID
        }
    }

    /// Saves the run's counts, in the transaction that holds the counted rows.
    package func save(_ counts: LoadCounts, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE run SET lines = ?, submissions = ?, parts = ?, receipts_new = ?, purchases_new = ?, rejected = ?
                WHERE run_id = ?
                """,
            arguments: [
                counts.lines, counts.submissions, counts.parts, counts.newReceipts, counts.newPurchases,
                counts.rejectedLines, id,
            ])
    }

    /// Updates the row, and syncs this and every earlier commit to disk, so that the loaded archives may then be
    /// removed.
    ///
    /// - Parameters:
    ///   - archives: how many archives were readable, how many of these were known, and how many archives failed.
    ///   - isEnd: whether the run ends with this outcome.
    package func update(
        _ outcome: RunOutcome, archives: (readable: Int, known: Int, failed: Int), isEnd: Bool, _ database: Warehouse
    ) throws(MillError) {
        let end = isEnd ? LoadProgress.now : nil
        try database.access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            // One sync covers everything that was written to the log before.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(
                sql: """
                    UPDATE run SET ended_at = ?, outcome = ?, archives = ?, archives_known = ?, archives_failed = ?
                    WHERE run_id = ?
                    """,
                arguments: [end, outcome.rawValue, archives.readable, archives.known, archives.failed, id])
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
    }
}
