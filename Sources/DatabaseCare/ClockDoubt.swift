package import GRDB

/// A jump of the clock that makes the age of everything doubtful: nobody has said since that the clock is right, and runs
/// have begun on too few days since.
package struct ClockDoubt: Sendable, Hashable {
    /// The times of the two successive runs between which the clock jumped, in milliseconds since 1970.
    package let before, after: Int64
    /// On how many more days runs have to begin until the clock is believed.
    package let daysLeft: Int

    /// On how many days behind the jump runs have to begin: a week of nights.
    package static let regularDays = 7

    /// The doubt about the clock of the newest run; nil where the clock is believed.
    ///
    /// - Parameter days: how many days may lie between two runs, in both directions.
    package init?(_ db: Database, greatestGap days: Int) throws {
        let times = try Int64.fetchAll(
            db,
            sql: """
                SELECT started_at FROM run
                WHERE run_id >= coalesce((SELECT max(run_id) FROM run WHERE confirms_clock), 0)
                ORDER BY run_id
                """)
        self.init(times, greatestGap: days)
    }

    /// - Parameter times: when runs began, from the last one whose clock a person has confirmed to the newest.
    init?(_ times: [Int64], greatestGap days: Int) {
        let greatest = Int64(days) * RunClock.millisecondsPerDay
        guard let jump = times.indices.dropFirst().last(where: { abs(times[$0] - times[$0 - 1]) > greatest }) else {
            return nil
        }
        let runDays = Set(times[jump...].map { $0 / RunClock.millisecondsPerDay })
        daysLeft = Self.regularDays - (runDays.count - 1)
        guard daysLeft > 0 else { return nil }
        (before, after) = (times[jump - 1], times[jump])
    }
}
