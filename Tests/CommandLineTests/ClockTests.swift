internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Nights whose clock is wrong: what is old by it alone is not deleted.
@Suite struct ClockTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func write(
        retention: Int = 7, after: String = "move, move_to: done, expire_days: 7"
    ) throws -> String {
        try write(
            "dead_letters: {file: letters.gz, keep_days: 7}\nretention_days: \(retention)\n",
            archives: "  - {path: in/*.gz, after: \(after)}\n")
    }

    /// As the clock of a later night would find what was loaded and kept: so many days older.
    private func age(_ days: Int, runs runDays: Int? = nil) throws {
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write { db in
            try db.execute(
                sql: """
                    UPDATE archive SET first_loaded_at = first_loaded_at - :time, completed_at = completed_at - :time;
                    UPDATE dead_letter SET kept_at = kept_at - :time
                    """.replacing(":time", with: "\(days) * 86400000"))
            try db.execute(sql: "UPDATE run SET started_at = started_at - \(runDays ?? days) * 86400000")
        }
    }

    private static let state = """
        SELECT (SELECT count(*) FROM submissions), (SELECT count(*) FROM dead_letter)
        """

    /// Documents of few receipts, presented on nine days, so that some may go; and an archive without rejected lines.
    private func deliverDays() throws {
        let script = #"""
            mkdir in; for day in 1 2 3 4 5 6 7 8 9; do
                gzip -dc "$0" | head -n 30 | sed -E "s/(submitted_at\":\")[0-9-]{10}/\12020-01-0$day/"
            done | gzip -n > in/a.gz
            gzip -dc "$0" | sed -n 1,2p | gzip -n > in/b.gz
            """#
        let made = try Command("bash", ["-c", script, Samples.archive], in: workdir.url).run()
        try #require(made.status == 0, "\(made)")
    }

    @Test(
        "A night far from the last, ahead or behind, deletes nothing by age, and says both dates",
        arguments: ["ahead", "behind"], ["move, move_to: done, expire_days: 7", "delete"])
    func jump(direction: String, after: String) throws {
        let isMoved = after.hasPrefix("move")
        try deliverDays()
        let first = try Mill.run(["run", try write(retention: 100_000, after: after)])
        #expect(first.status == 0, "\(first)")
        let before = try lines(Self.state)
        // What was loaded is old by this night's clock, which is far ahead of the last night's, or behind it.
        try age(40, runs: direction == "ahead" ? 40 : -40)
        let file = try write(after: after)
        let night = try Mill.run(["run", file])
        #expect(night.status == 65, "\(night)")
        let alarms = try records(night.errors).filter { $0["alarm"] == "clock_jumped" }
        #expect(alarms.count == 1, "\(night)")
        let dates = try lines("SELECT started_at FROM runs ORDER BY run_id").map { $0.prefix(10) }
        let message = try #require(alarms.first?["message"])
        #expect(dates.count == 2 && dates.allSatisfy { message.contains($0) }, "\(message) \(dates)")
        #expect(try lines(Self.state) == before && exists("done/b.gz") == isMoved)
        // The next night has the same clock. Nobody can tell whether it is right.
        let second = try Mill.run(["run", file])
        #expect(second.status == 0 && exists("done/b.gz") == isMoved, "\(second)")
        #expect(try lines(Self.state) == before)
        let doubted = try StatusScreen("--pipeline", file)
        #expect(doubted.needed.contains("clock"), "\(doubted)")
        let word = try #require(doubted.line("clock")).next.split(separator: " ").dropFirst().map(String.init)
        #expect(word.contains("--clock-is-right"), "\(doubted)")
        let next = try Mill.run(word + ["--log-level", "notice"])
        #expect(next.status == 0 && !exists("done/b.gz"), "\(next)")
        let deletions = try records(next.errors).filter { $0["deleted"] != nil }
        // Every deletion by age is a record with its count.
        let left = try lines(Self.state)
        let counts = zip(before[0].split(separator: "|"), left[0].split(separator: "|")).map {
            (Int($0) ?? 0) - (Int($1) ?? 0)
        }
        #expect(counts.allSatisfy { $0 > 0 }, "\(before) \(left)")
        let wanted = Set(counts.map { "\($0)" } + (isMoved ? ["1"] : []))
        #expect(Set(deletions.compactMap { $0["deleted"] }) == wanted, "\(next)")
        // The run's row and the screen show the same, and the screen no longer mentions the clock.
        let counted = try lines(
            "SELECT submissions_expired, letters_expired, archives_expired FROM runs ORDER BY run_id")
        #expect(counted == ["0|0|0", "0|0|0", "0|0|0", "\(counts[0])|\(counts[1])|\(isMoved ? 1 : 0)"], "\(counted)")
        let screen = try StatusScreen("--pipeline", file)
        #expect(!screen.needed.contains("clock") && screen.line("clock") == nil, "\(screen)")
        let aged = screen.object["deleted_by_age"] as? [String: Any]
        #expect(aged?["submissions"] as? Int == counts[0] && aged?["kept_lines"] as? Int == counts[1], "\(screen)")
        #expect(try #require(screen.line("deleted_by_age")).text.hasPrefix("\(counts[0]) submission"), "\(screen)")
        // The confirmation also applies to the following nights.
        try age(1)
        #expect(try Mill.run(["run", file]).status == 0 && StatusScreen("--pipeline", file).line("clock") == nil)
    }

    @Test("After a jump, runs delete expired rows again once a week of nights has passed, not one night earlier")
    func regularWeek() throws {
        try deliverDays()
        #expect(try Mill.run(["run", try write(retention: 100_000)]).status == 0)
        let before = try lines(Self.state)
        try age(40)
        let file = try write()
        #expect(try Mill.run(["run", file]).status == 65)
        for night in 1...6 {
            try age(1)
            #expect(try Mill.run(["run", file]).status == 0, "night \(night)")
            #expect(try lines(Self.state) == before && exists("done/b.gz"), "night \(night)")
        }
        try age(1)
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try lines(Self.state) != before && !exists("done/b.gz"))
    }

    @Test("The days that may lie between two nights are the pipeline file's", arguments: [(39, 65), (41, 0)])
    func bound(days: Int, status: Int32) throws {
        try deliver()
        let file = try write("alarms: {clock_jump_days: \(days)}\n", archives: "  - path: in/*.gz\n")
        #expect(try Mill.run(["run", file]).status == 0)
        try age(40)
        #expect(try Mill.run(["run", file]).status == status)
        #expect(try Mill.run(["run", file]).status == 0)
    }

    @Test("A jump of which a stopped night could not tell is told by the next")
    func stoppedNight() throws {
        try deliver()
        let file = try write()
        #expect(try Mill.run(["run", file]).status == 0)
        try age(40)
        #expect(try Mill.run(["run", file]).status == 65)
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write {
            try $0.execute(sql: "UPDATE run SET outcome = 'stopped' WHERE run_id = 2")
        }
        let next = try Mill.run(["run", file])
        #expect(next.status == 65 && next.errors.contains("clock_jumped") && exists("done/a.gz"), "\(next)")
    }

    @Test(
        "What a night with the clock of 1970 has loaded is not old when the clock is right again, however it ended",
        arguments: ["alarm", "stopped", "failed", "interrupted"])
    func clockBehind(outcome: String) throws {
        let file = try write()
        try deliver("a.gz")
        #expect(try Mill.run(["run", file]).status == 0)
        try Samples.copyBeginning(to: workdir.path("in/b.gz"))
        #expect(try Mill.run(["run", file]).status == 0)
        // As the second night would have left it.
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write { db in
            try db.execute(
                sql: """
                    UPDATE archive SET first_loaded_at = 60000, completed_at = 60000 WHERE archive_id = 2;
                    UPDATE dead_letter SET kept_at = 60000 WHERE letter_id >> 32 = 2;
                    UPDATE run SET started_at = 60000, outcome = '\(outcome)' WHERE run_id = 2
                    """)
        }
        let kept = try lines("SELECT count(*) FROM dead_letter")
        #expect(try Mill.run(["run", file]).status == 65)
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(exists("done/b.gz"))
        #expect(try lines("SELECT count(*) FROM dead_letter") == kept)
    }
}
