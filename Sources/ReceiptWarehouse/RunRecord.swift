internal import Foundation
internal import GRDB
internal import MillSystem

/// How a run ended, as the view `runs` says it.
package enum RunOutcome: String, Sendable, Hashable, CaseIterable {
    /// At work.
    case running
    /// Every archive was loaded to its end, and all else was done.
    case done
    /// All was done, and somebody has to be told of what was found: an alarm of
    /// the pipeline file, or more rejected lines than were allowed.
    case alarm
    /// Part of it failed: an archive is missing or damaged, a report can't be
    /// written; the rest was done.
    case incomplete
    /// Asked to stop, by a signal; the next run goes on.
    case stopped
    /// A fault ended it; the next run goes on from what was committed.
    case failed
    /// It never said how it ended: killed, out of memory, the machine reset.
    case interrupted
}

/// What a run did, as its row tells it.
protocol RunSummary {
    /// Whether such a run ends by judging what was loaded.
    static var reviewsAlarms: Bool { get }
    var outcome: RunOutcome { get }
    var load: IngestSummary { get }
}

/// The row of `run` that tells of a run at work.
struct RunRecord {
    let number: Int64

    /// Begins a row. Rows of runs that never ended are marked: the lock says
    /// that none of them is at work any more.
    init(_ loadDatabase: LoadDatabase, reviewsAlarms: Bool) throws(MillError) {
        number = try loadDatabase.access { db in
            try db.inTransaction {
                try db.execute(
                    sql: "UPDATE run SET outcome = ? WHERE outcome = ?",
                    arguments: [RunOutcome.interrupted.rawValue, RunOutcome.running.rawValue])
                try db.execute(
                    sql: """
                        INSERT INTO run (started_at, outcome, version, reviews_alarms, last_receipt)
                        VALUES (?, ?, ?, ?, (SELECT coalesce(max(receipt_id), 0) FROM receipt))
                        """,
                    arguments: [Self.now, RunOutcome.running.rawValue, receiptMillVersion, reviewsAlarms])
                return .commit
            }
            return db.lastInsertedRowID
        }
    }

    /// Does a run's work under a row that says how it ended.
    ///
    /// - Parameter summary: before the work; what the work makes of it is returned.
    static func recording<Summary: RunSummary>(
        _ summary: Summary, in loadDatabase: LoadDatabase, _ work: (RunRecord, inout Summary) throws(MillError) -> Void
    ) throws(MillError) -> Summary {
        let record = try RunRecord(loadDatabase, reviewsAlarms: Summary.reviewsAlarms)
        var summary = summary
        do throws(MillError) {
            try work(record, &summary)
            try record.end(summary.outcome, summary.load, loadDatabase)
            return summary
        } catch {
            // What stopped the run may stop this too; the next run then marks it.
            try? record.end(.failed, summary.load, loadDatabase)
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

    /// Has the disk hold every commit before: what was loaded may be removed
    /// elsewhere from now on.
    func settle(_ summary: IngestSummary, _ loadDatabase: LoadDatabase) throws(MillError) {
        try update(.running, at: nil, summary, loadDatabase)
    }

    /// Ends the row, and has the disk hold this and every commit before.
    func end(_ outcome: RunOutcome, _ summary: IngestSummary, _ loadDatabase: LoadDatabase) throws(MillError) {
        try update(outcome, at: Self.now, summary, loadDatabase)
    }

    private func update(
        _ outcome: RunOutcome, at end: Int64?, _ summary: IngestSummary, _ loadDatabase: LoadDatabase
    ) throws(MillError) {
        try loadDatabase.access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            // One sync of the log covers all that was written to it before.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(
                sql: """
                    UPDATE run SET ended_at = ?, outcome = ?, archives = ?, archives_known = ?, archives_failed = ?
                    WHERE run_id = ?
                    """,
                arguments: [
                    end, outcome.rawValue, summary.archives, summary.knownArchives, summary.failures.count, number,
                ])
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
