internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptWarehouse

/// The clock of a run, compared with the clocks of earlier runs. Only this clock decides whether rows and files expire,
/// and nothing expires after the clock has jumped.
///
/// A machine with an empty battery starts in 1970, and a mistyped date may be in another decade. The program can't
/// decide which of two distant dates is right, and deletion can't be undone. So nothing is deleted until a person or a
/// week of regular runs has confirmed the clock (``ClockDoubt``).
package struct RunClock: Sendable {
    /// The run's time in milliseconds since 1970.
    package let now: Int64
    /// The times of the two successive runs between which the clock jumped; nil if it did not.
    package let jump: (before: Int64, after: Int64)?
    /// Why nothing expires; nil if the clock is trusted.
    package let doubt: ClockDoubt?
    /// Whether the clock is slow compared with an earlier run, so that stored times are in the future.
    package let isBehind: Bool

    /// The maximum number of days between two runs if the pipeline file states none.
    package static let usualGap = 30
    package static let millisecondsPerDay: Int64 = 86_400_000

    /// - Parameters:
    ///   - record: the current run.
    ///   - days: the maximum number of days between two runs, in either direction.
    package init(of record: RunRecord, maximumGap days: Int, _ warehouse: Warehouse) throws(MillError) {
        let doubt = try warehouse.access { try ClockDoubt($0, maximumGap: days) }
        try self.init(
            now: LoadProgress.now, behind: warehouse.runs.times(before: record), maximumGap: days, doubt: doubt)
    }

    /// - Parameter times: when earlier runs began, starting with the last run that reviewed its alarms: a jump since
    ///   then has not been reported.
    init(now: Int64, behind times: [Int64], maximumGap days: Int) {
        self.init(
            now: now, behind: times, maximumGap: days, doubt: ClockDoubt(times + [now], maximumGap: days))
    }

    private init(now: Int64, behind times: [Int64], maximumGap days: Int, doubt: ClockDoubt?) {
        (self.now, self.doubt) = (now, doubt)
        let maximum = Int64(days) * Self.millisecondsPerDay
        let all = times + [now]
        jump = zip(all, all.dropFirst()).first { abs($1 - $0) > maximum }.map { ($0, $1) }
        isBehind = times.max().map { $0 - now > maximum } ?? false
    }

    /// The time before which rows are older than a number of days; nil while the clock is in doubt.
    package func cutoff(days: Int) -> Int64? {
        doubt == nil ? now - Int64(days) * Self.millisecondsPerDay : nil
    }

    /// Replaces times that a slow clock has written by this run's time. Otherwise archives and kept lines would count
    /// as old once the clock is right.
    package func correctTimes(in warehouse: Warehouse, maximumGap days: Int) throws(MillError) {
        guard !isBehind else { return }
        let arguments: StatementArguments = ["now": now, "gap": Int64(days) * Self.millisecondsPerDay]
        try warehouse.transaction { db in
            let archives = try Int64.fetchAll(
                db, sql: Database.sql(ofFile: "care/archives_of_a_clock_behind.sql"), arguments: arguments)
            guard !archives.isEmpty else { return }
            // In views, lines without a time have the time of their archive.
            try ModelState.noteChange(.clock, db)
            for archive in archives {
                try db.execute(file: "care/correct_times.sql", arguments: arguments + ["archive": archive])
            }
        }
    }
}
