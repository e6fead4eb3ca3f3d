internal import Foundation
internal import GRDB

/// How a run ended, as the view `runs` says it.
public enum RunOutcome: String, Sendable, Hashable, CaseIterable {
    /// At work.
    case running
    /// Every archive was loaded to its end.
    case done
    /// An archive is missing or damaged; the others were loaded.
    case incomplete
    /// Asked to stop, by a signal; the next run goes on.
    case stopped
    /// A fault ended it; the next run goes on from what was committed.
    case failed
    /// It never said how it ended: killed, out of memory, the machine reset.
    case interrupted
}

/// The row of `run` that tells of a run at work.
struct RunRecord {
    let number: Int64

    /// Begins a row. Rows of runs that never ended are marked: the lock says
    /// that none of them is at work any more.
    init(_ warehouse: Warehouse) throws(MillError) {
        number = try warehouse.access { db in
            try db.inTransaction {
                try db.execute(
                    sql: "UPDATE run SET outcome = ? WHERE outcome = ?",
                    arguments: [RunOutcome.interrupted.rawValue, RunOutcome.running.rawValue])
                try db.execute(
                    sql: "INSERT INTO run (started_at, outcome, version) VALUES (?, ?, ?)",
                    arguments: [Self.now, RunOutcome.running.rawValue, receiptMillVersion])
                return .commit
            }
            return db.lastInsertedRowID
        }
    }

    /// Does a run's work under a row that says how it ended, and times it.
    static func recording(
        in warehouse: Warehouse, _ work: (RunRecord, inout IngestSummary) throws(MillError) -> Void
    ) throws(MillError) -> IngestSummary {
        let start = ContinuousClock.now
        let record = try RunRecord(warehouse)
        var summary = IngestSummary()
        do throws(MillError) {
            try work(record, &summary)
            let duration = ContinuousClock.now - start
            summary.seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
            try record.end(summary.outcome, summary, warehouse)
            return summary
        } catch {
            // What stopped the run may stop this too; the next run then marks it.
            try? record.end(.failed, summary, warehouse)
            throw error
        }
    }

    /// Saves what was loaded so far, in the transaction that holds its rows.
    func save(_ counts: LoadCounts, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE run SET lines = ?, submissions = ?, receipts_new = ?, purchases_new = ?, rejected = ?
                WHERE run_id = ?
                """,
            arguments: [
                counts.lines, counts.submissions, counts.newReceipts, counts.newPurchases,
                counts.rejected.values.reduce(0, +), number,
            ])
    }

    /// Ends the row, and has the disk hold this and every commit before: what was
    /// loaded may be removed elsewhere from now on.
    func end(_ outcome: RunOutcome, _ summary: IngestSummary, _ warehouse: Warehouse) throws(MillError) {
        try warehouse.access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            // One sync of the log covers all that was written to it before.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(
                sql: """
                    UPDATE run SET ended_at = ?, outcome = ?, archives = ?, archives_known = ?, archives_failed = ?
                    WHERE run_id = ?
                    """,
                arguments: [
                    Self.now, outcome.rawValue, summary.archives, summary.knownArchives, summary.failures.count, number,
                ])
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
