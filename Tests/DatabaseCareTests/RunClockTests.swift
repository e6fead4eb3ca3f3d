import Foundation
import GRDB
import TestSupport
import Testing

@testable import DatabaseCare
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite("The clock of a run")
struct RunClockTests {
    private static let day: Int64 = 86_400_000
    /// 2026-01-01.
    private static let today: Int64 = 1_767_225_600_000

    @Test(
        "tells what is old, but where it lies further from the last run's than it may, ahead or behind",
        arguments: [(0, false), (30, false), (-30, false), (31, true), (-31, true), (-20_000, true), (20_000, true)])
    func jump(days: Int64, hasJumped: Bool) {
        let now = Self.today + days * Self.day
        let clock = RunClock(now: now, behind: [Self.today], maximumGap: 30)
        #expect((clock.jump != nil) == hasJumped)
        #expect(clock.cutoff(days: 7) == (hasJumped ? nil : now - 7 * Self.day))
        #expect(clock.isBehind == (hasJumped && days < 0))
    }

    @Test("has no jump in a first run, and one that lies between two runs that told no one of it")
    func chain() {
        #expect(RunClock(now: Self.today, behind: [], maximumGap: 1).jump == nil)
        let monthly = (0..<10).map { Self.today + Int64($0) * 20 * Self.day }
        #expect(RunClock(now: Self.today + 200 * Self.day, behind: monthly, maximumGap: 30).jump == nil)
        let untold = RunClock(
            now: Self.today + 4001 * Self.day, behind: [Self.today, Self.today + 4000 * Self.day], maximumGap: 30)
        #expect(untold.jump?.before == Self.today && untold.jump?.after == Self.today + 4000 * Self.day)
        // A run in 1970 lies between this one and the last night: the clock is right again.
        let right = RunClock(now: Self.today + Self.day, behind: [Self.today, 60_000], maximumGap: 30)
        #expect(right.jump != nil && !right.isBehind && right.cutoff(days: 7) == nil)
    }

    @Test("is in doubt after a jump until runs have begun on seven more days, however many run on one day")
    func doubt() {
        let jumped = [Self.today, Self.today + 400 * Self.day]
        // Two runs a day, six hours apart.
        let nights = (1...7).flatMap { day in [0, 6].map { jumped[1] + Int64(day) * Self.day + $0 * 3_600_000 } }
        for day in 1...6 {
            let doubt = ClockDoubt(jumped + nights.prefix(2 * day), maximumGap: 30)
            #expect(doubt?.daysLeft == 7 - day)
            #expect(doubt?.before == jumped[0] && doubt?.after == jumped[1])
        }
        #expect(ClockDoubt(jumped + nights.prefix(13), maximumGap: 30) == nil)
        // The clock returns to its former time: that is a jump, too.
        #expect(ClockDoubt(jumped + nights + [Self.today + 10 * Self.day], maximumGap: 30)?.daysLeft == 7)
        #expect(ClockDoubt([Self.today], maximumGap: 30) == nil)
    }

    @Test("that is right again gives its time to what a clock wrote that was behind, and to nothing else")
    func corrects() throws {
        let workdir = try Workdir()
        let database = try Warehouse(path: workdir.path("mill.sqlite"))
        // Three nights, the second in 1970, and one of a clock that is ahead.
        let nights = [(1, Self.today), (2, 60_000), (3, Self.today + Self.day), (4, Self.today + 4_000 * Self.day)]
        try database.access { db in
            for (id, time) in nights {
                try db.execute(
                    sql: """
                        INSERT INTO archive (archive_id, name, sha256, bytes, complete, first_loaded_at, completed_at)
                        VALUES (?, 'a', randomblob(32), 1, 1, ?, ?)
                        """, arguments: [id, time, time])
                try db.execute(
                    sql:
                        "INSERT INTO dead_letter (letter_id, kept_at, bytes, deflated) VALUES (? << 32 | 1, ?, 1, x'00')",
                    arguments: [id, time])
            }
        }
        let now = Self.today + 2 * Self.day
        let clock = RunClock(now: now, behind: [60_000], maximumGap: 30)
        try clock.correctTimes(in: database, maximumGap: 30)
        let (loaded, kept) = try database.access { db in
            (
                try Int64.fetchAll(db, sql: "SELECT completed_at FROM archive ORDER BY archive_id"),
                try Int64.fetchAll(db, sql: "SELECT kept_at FROM dead_letter ORDER BY letter_id")
            )
        }
        #expect(loaded == [Self.today, now, Self.today + Self.day, Self.today + 4_000 * Self.day])
        #expect(kept == loaded)
        // A clock that went back corrects nothing by itself.
        try RunClock(now: 120_000, behind: [Self.today], maximumGap: 30).correctTimes(in: database, maximumGap: 30)
        let again = try database.access {
            try Int64.fetchAll($0, sql: "SELECT completed_at FROM archive ORDER BY archive_id")
        }
        #expect(again == loaded)
    }
}
