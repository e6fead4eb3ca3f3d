internal import Foundation
package import GRDB
package import MillSystem

/// How a run ended, as the view `runs` says it.
package enum RunOutcome: String, Sendable, Hashable, CaseIterable {
    /// At work.
    case running
    /// Every archive was loaded to its end, and all else was done.
    case done
    /// All was done, and what was found needs attention: an alarm of
    /// the pipeline file, or more rejected lines than were allowed.
    case alarm
    /// Part of it failed: an archive is missing or damaged, a report can't be
    /// written; the rest was done.
    case incomplete
    /// Cancelled by a signal; the next run goes on.
    case stopped
    /// A fault ended it; the next run goes on from what was committed.
    case failed
    /// It recorded no end: killed, out of memory, the machine reset.
    case interrupted
}

/// The row of `run` that describes a run at work.
package struct RunRecord {
    package let id: Int64

    /// Begins a row. Rows of runs that never ended are marked: the lock says
    /// that none of them is at work any more.
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

    /// Saves what was loaded so far, in the transaction that holds its rows.
    package func save(_ counts: LoadCounts, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE run SET lines = ?, submissions = ?, parts = ?, receipts_new = ?, purchases_new = ?, rejected = ?
                WHERE run_id = ?
                """,
            arguments: [
                counts.lines, counts.submissions, counts.parts, counts.newReceipts, counts.newPurchases,
                counts.rejected.values.reduce(0, +), id,
            ])
    }

    /// Updates the row, and has the disk hold this and every commit before: what was loaded may
    /// be removed elsewhere from now on.
    ///
    /// - Parameters:
    ///   - archives: those that could be read, those of them that were known, and those that failed.
    ///   - isEnd: whether the run ends with this outcome.
    package func update(
        _ outcome: RunOutcome, archives: (readable: Int, known: Int, failed: Int), isEnd: Bool, _ database: Warehouse
    ) throws(MillError) {
        let end = isEnd ? LoadProgress.now : nil
        try database.access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            // One sync of the log covers all that was written to it before.
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
