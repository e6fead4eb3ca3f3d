internal import Foundation
package import GRDB
package import MillSystem

/// The outcome of a run, as the view `runs` shows it.
package enum RunOutcome: String, Sendable, Hashable, CaseIterable {
    /// The run is active.
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

/// Why a run was no success.
package struct RunReason: Sendable, Hashable {
    package let exitStatus: Int32
    /// The first fault or, without faults, the first alarm, as a phrase that names the file.
    package let text: String
    package let advice: String?
    /// The number of faults and alarms.
    package let faults: Int

    package init(exitStatus: Int32, text: String, advice: String?, faults: Int) {
        (self.exitStatus, self.text, self.advice, self.faults) = (exitStatus, text, advice, faults)
    }
}

/// The row of `run` that describes an active run.
package struct RunRecord {
    package let id: Int64

    /// Begins a row, and marks the rows of runs that recorded no end: the lock guarantees that none of them is still
    /// active. A run that left a note of its end counts as failed.
    ///
    /// - Parameter confirmsClock: whether a person confirms that the clock is right.
    package init(
        _ database: Warehouse, reviewsAlarms: Bool, confirmsClock: Bool = false
    ) throws(MillError) {
        let note = FailureNote(of: database.path)
        id = try database.access { db in
            try db.inTransaction {
                if let note, let failed = note.run {
                    try db.execute(
                        sql: """
                            UPDATE run
                            SET ended_at = ?, outcome = ?, exit_status = ?, reason = ?, advice = ?, faults = ?
                            WHERE run_id = ? AND started_at <= ? AND outcome = ?
                            """,
                        arguments: [
                            note.failedAt, RunOutcome.failed.rawValue, note.exitStatus, note.reason, note.advice,
                            note.faults, failed, note.failedAt, RunOutcome.running.rawValue,
                        ])
                }
                try db.execute(
                    sql: "UPDATE run SET outcome = ? WHERE outcome = ?",
                    arguments: [RunOutcome.interrupted.rawValue, RunOutcome.running.rawValue])
                try db.execute(
                    sql: """
                        INSERT INTO run (started_at, outcome, version, reviews_alarms, confirms_clock, last_receipt)
                        VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(receipt_id), 0) FROM receipt))
                        """,
                    arguments: [
                        LoadProgress.now, RunOutcome.running.rawValue, receiptMillVersion, reviewsAlarms, confirmsClock,
                    ])
                return .commit
            }
            return db.lastInsertedRowID
        }
    }

    /// Saves the run's counts, in the same transaction as the counted rows.
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

    /// Records how much of an archive the run loaded.
    ///
    /// - Parameter lines: the numbers of lines that the run processed, of those that were rejected, and of those that
    ///   hold a document which is not trusted.
    package func add(
        archive: Int64, named name: String, lines: (all: Int, rejected: Int, untrusted: Int), _ database: Warehouse
    ) throws(MillError) {
        try database.access { db in
            try db.execute(
                sql: """
                    INSERT INTO run_archive VALUES (:run, :archive, :name, :lines, :rejected, :untrusted)
                    ON CONFLICT (run_id, archive_id) DO UPDATE
                    SET lines = lines + :lines, rejected = rejected + :rejected, untrusted = untrusted + :untrusted
                    """,
                arguments: [
                    "run": id, "archive": archive, "name": name, "lines": lines.all, "rejected": lines.rejected,
                    "untrusted": lines.untrusted,
                ])
        }
    }

    /// The kinds of rows and files that a run deletes when they expire, named like the columns that count them.
    package enum Expired: String, Sendable {
        case submissions = "submissions_expired"
        case letters = "letters_expired"
        case archives = "archives_expired"
    }

    /// Counts expired rows or files. Rows are counted in the transaction that deletes them.
    package func count(_ count: Int, _ expired: Expired, _ db: Database) throws {
        guard count > 0 else { return }
        let column = expired.rawValue
        try db.execute(
            sql: "UPDATE run SET \(column) = \(column) + ? WHERE run_id = ?", arguments: [count, id])
    }

    /// Updates the row, and syncs this and every earlier commit to disk, so that the loaded archives may then be
    /// removed.
    ///
    /// - Parameters:
    ///   - archives: the numbers of readable archives, of known ones among them, and of archives that failed.
    ///   - isEnd: whether the run ends with this outcome.
    ///   - reason: why the run was no success; nil for a success.
    package func update(
        _ outcome: RunOutcome, archives: (readable: Int, known: Int, failed: Int), isEnd: Bool,
        because reason: RunReason? = nil, _ database: Warehouse
    ) throws(MillError) {
        let end = isEnd ? LoadProgress.now : nil
        try database.access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            // One sync covers everything that was written to the log before.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(
                sql: """
                    UPDATE run
                    SET ended_at = ?, outcome = ?, archives = ?, archives_known = ?, archives_failed = ?,
                        exit_status = ?, reason = ?, advice = ?, faults = ?
                    WHERE run_id = ?
                    """,
                arguments: [
                    end, outcome.rawValue, archives.readable, archives.known, archives.failed, reason?.exitStatus,
                    reason?.text, reason?.advice, reason?.faults ?? 0, id,
                ])
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
    }
}
