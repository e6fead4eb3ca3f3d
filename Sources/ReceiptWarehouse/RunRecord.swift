internal import Foundation
internal import GRDB

/// How a run ended, as the view `runs` says it.
public enum RunOutcome: String, Sendable, Hashable, CaseIterable {
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
    /// Asked to stop, by a signal; the next run goes on.
    case stopped
    /// A fault ended it; the next run goes on from what was committed.
    case failed
    /// It recorded no end: killed, out of memory, the machine reset.
    case interrupted
}

/// What a run did, as its row states it.
protocol RunSummary {
    /// Whether such a run ends by reviewing what was loaded for alarms.
    static var reviewsAlarms: Bool { get }
    var outcome: RunOutcome { get }
    var load: IngestSummary { get }
}

/// The row of `run` that describes a run at work.
struct RunRecord {
    let id: Int64

    /// Begins a row. Rows of runs that never ended are marked: the lock says
    /// that none of them is at work any more.
    init(_ database: LoadDatabase, reviewsAlarms: Bool) throws(MillError) {
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
        _ summary: Summary, in database: LoadDatabase, _ work: (RunRecord, inout Summary) throws(MillError) -> Void
    ) throws(MillError) -> Summary {
        let record = try RunRecord(database, reviewsAlarms: Summary.reviewsAlarms)
        var summary = summary
        do throws(MillError) {
            try work(record, &summary)
            try record.end(summary.outcome, summary.load, database)
            return summary
        } catch {
            // What stopped the run may stop this too; the next run then marks it.
            try? record.end(.failed, summary.load, database)
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
                counts.rejected.values.reduce(0, +), id,
            ])
    }

    /// Has the disk hold every commit before: what was loaded may be removed
    /// elsewhere from now on.
    func makeDurable(_ summary: IngestSummary, _ database: LoadDatabase) throws(MillError) {
        try update(.running, at: nil, summary, database)
    }

    /// Ends the row, and has the disk hold this and every commit before.
    func end(_ outcome: RunOutcome, _ summary: IngestSummary, _ database: LoadDatabase) throws(MillError) {
        try update(outcome, at: Self.now, summary, database)
    }

    private func update(
        _ outcome: RunOutcome, at end: Int64?, _ summary: IngestSummary, _ database: LoadDatabase
    ) throws(MillError) {
        try database.access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            // One sync of the log covers all that was written to it before.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(
                sql: """
                    UPDATE run SET ended_at = ?, outcome = ?, archives = ?, archives_known = ?, archives_failed = ?
                    WHERE run_id = ?
                    """,
                arguments: [
                    end, outcome.rawValue, summary.archives, summary.knownArchives, summary.failures.count, id,
                ])
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
