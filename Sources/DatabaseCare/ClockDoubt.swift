package import GRDB

/// A jump of the clock, after which the age of rows can't be trusted. The doubt ends when a person confirms the clock,
/// or when runs have begun on ``regularDays`` days after the jump.
package struct ClockDoubt: Sendable, Hashable {
    /// The times of the two successive runs between which the clock jumped, in milliseconds since 1970.
    package let before, after: Int64
    /// The number of further days on which a run has to begin until the clock is trusted.
    package let daysLeft: Int

    /// The number of days after a jump on which a run has to begin before the clock is trusted again.
    package static let regularDays = 7

    /// The doubt about the clock of the newest run; nil if the clock is trusted.
    ///
    /// - Parameter days: the maximum number of days between two runs, in either direction.
    package init?(_ db: Database, maximumGap days: Int) throws {
        let times = try Int64.fetchAll(
            db,
            sql: """
                SELECT started_at FROM run
                WHERE run_id >= coalesce((SELECT max(run_id) FROM run WHERE confirms_clock), 0)
                ORDER BY run_id
                """)
        self.init(times, maximumGap: days)
    }

    /// - Parameter times: when runs began, from the last run for which a person confirmed the clock to the newest run.
    init?(_ times: [Int64], maximumGap days: Int) {
        let maximum = Int64(days) * RunClock.millisecondsPerDay
        guard let jump = times.indices.dropFirst().last(where: { abs(times[$0] - times[$0 - 1]) > maximum }) else {
            return nil
        }
        let runDays = Set(times[jump...].map { $0 / RunClock.millisecondsPerDay })
        daysLeft = Self.regularDays - (runDays.count - 1)
        guard daysLeft > 0 else { return nil }
        (before, after) = (times[jump - 1], times[jump])
    }
}
