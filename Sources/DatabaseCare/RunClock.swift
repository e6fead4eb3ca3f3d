internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptWarehouse

/// The clock of a run, held against that of the runs before it: what is deleted by its age is deleted by this clock
/// alone, and not where it has jumped.
///
/// A machine whose battery is empty begins in 1970; one whose date was mistyped is in another decade. Of two dates
/// that are far apart nothing says which one is right, and what is deleted does not come back.
package struct RunClock: Sendable {
    /// When this run works, in milliseconds since 1970, as the next.
    package let now: Int64
    /// The two runs between which the clock jumped; nil where it did not.
    package let jump: (before: Int64, after: Int64)?
    /// Whether this run's clock is behind that of a run before it: what the database holds is of a time to come.
    package let isBehind: Bool

    /// Days that may lie between two runs, unless a pipeline file says otherwise.
    package static let usualGap = 30
    package static let millisecondsPerDay: Int64 = 86_400_000

    /// - Parameters:
    ///   - record: the run at work.
    ///   - days: that may lie between two runs, in both directions.
    package init(of record: RunRecord, greatestGap days: Int, _ warehouse: Warehouse) throws(MillError) {
        try self.init(now: LoadProgress.now, behind: warehouse.runs.times(before: record), greatestGap: days)
    }

    /// - Parameter times: when the last run began that reviewed its alarms, and those behind it: a jump that none of
    ///   them told of is this run's to tell.
    init(now: Int64, behind times: [Int64], greatestGap days: Int) {
        self.now = now
        let greatest = Int64(days) * Self.millisecondsPerDay
        let all = times + [now]
        jump = zip(all, all.dropFirst()).first { abs($1 - $0) > greatest }.map { ($0, $1) }
        isBehind = times.max().map { $0 - now > greatest } ?? false
    }

    /// The time before which what lies so many days is old; nil where the clock can't tell.
    package func cutoff(days: Int) -> Int64? {
        jump == nil ? now - Int64(days) * Self.millisecondsPerDay : nil
    }

    /// Sets times that a clock wrote which was behind to this run's: archives that it loaded, and lines that it
    /// kept, would else be old on the day when the clock is right again.
    package func correctTimes(in warehouse: Warehouse, greatestGap days: Int) throws(MillError) {
        guard !isBehind else { return }
        let arguments: StatementArguments = ["now": now, "gap": Int64(days) * Self.millisecondsPerDay]
        try warehouse.transaction { db in
            let archives = try Int64.fetchAll(
                db, sql: Database.sql(ofFile: "care/archives_of_a_clock_behind.sql"), arguments: arguments)
            guard !archives.isEmpty else { return }
            // Views tell times of lines that state none by those of their archives.
            try ModelState.noteChange(db)
            for archive in archives {
                try db.execute(
                    sql: """
                        UPDATE archive
                        SET first_loaded_at = iif(first_loaded_at < :now - :gap, :now, first_loaded_at),
                            completed_at = iif(completed_at < :now - :gap, :now, completed_at)
                        WHERE archive_id = :archive
                        """,
                    arguments: arguments + ["archive": archive])
                // A line is kept when its archive is loaded, or later.
                try db.execute(
                    sql: """
                        UPDATE dead_letter SET kept_at = :now
                        WHERE letter_id BETWEEN :archive << 32 AND :archive << 32 | 0xffffffff
                            AND kept_at < :now - :gap
                        """,
                    arguments: arguments + ["archive": archive])
            }
        }
    }
}
