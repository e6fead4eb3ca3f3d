internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The weekly check reads what no run reads, and status shows when it was made.
@Suite struct WeeklyCheckTests: NightFolder {
    let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }
    private static let day = 86_400_000

    init() throws { workdir = try Workdir() }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Makes the note of the last check a number of days older.
    private func age(_ days: Int) throws {
        var lines = String(decoding: try workdir.read("mill.sqlite-check"), as: UTF8.self).components(separatedBy: "\n")
        for line in 0..<2 { lines[line] = "\(try #require(Int(lines[line])) - days * Self.day)" }
        try workdir.write(lines.joined(separator: "\n"), to: "mill.sqlite-check")
    }

    @Test("Eight days after the last check, or if none was ever made, a person is needed")
    func ages() throws {
        try Samples.copyDatabase(into: workdir)
        #expect(try StatusScreen("--database", database).status == 0)
        try change("UPDATE run SET started_at = started_at - \(9 * Self.day)")
        #expect(try Mill.run(["backup", workdir.path("copy.sqlite"), "--database", database]).status == 0)
        let never = try StatusScreen("--database", database)
        #expect(never.needed == ["check"], "\(never)")
        #expect(try #require(never.line("check")).next == "receiptmill check --database \(database)")
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 0)
        #expect(try StatusScreen("--database", database).status == 0)
        try age(7)
        #expect(try StatusScreen("--database", database).status == 0)
        try age(2)
        let old = try StatusScreen("--database", database)
        #expect(old.needed == ["check"], "\(old)")
        #expect(try #require(old.line("check")).text.hasPrefix("9 days ago"), "\(old)")
        let gauges = try Mill.run(["status", "--database", database, "--format", "prometheus"])
        #expect(gauges.output.contains("receiptmill_status_attention{subject=\"check\"} 1"), "\(gauges)")
        #expect(gauges.output.contains("\nreceiptmill_status_check_timestamp_seconds "), "\(gauges)")
    }

    @Test("Each check continues after the last, and every check after one that finds a damaged receipt begins with it")
    func sampleWalksOn() throws {
        let archive = Samples.archive
        let load = ["ingest", archive, "--trust", Samples.root, "--keep-receipts", "--database", database, "--quiet"]
        try #require(try Mill.run(load).status == 0)
        // The rank of the receipt among the stored receipts, by SQL.
        let ids = try Stored(database).lines(
            "SELECT receipt_id FROM raw_receipt UNION SELECT receipt_id FROM reviewable_receipt ORDER BY 1")
        let damaged = try #require(
            try Stored(database).lines("SELECT receipt_id FROM raw_receipt ORDER BY receipt_id LIMIT 1 OFFSET 150")
                .first)
        let (count, rank) = (ids.count, try #require(ids.firstIndex(of: damaged)))
        try change(
            """
            CREATE TABLE kept AS SELECT deflated FROM raw_receipt WHERE receipt_id = \(damaged);
            UPDATE raw_receipt SET deflated = x'00' WHERE receipt_id = \(damaged)
            """)
        let rounds = 4
        let sample = (count + rounds - 1) / rounds
        func check(_ sample: Int) throws -> Int32 {
            try Mill.run(["check", "--database", database, "--quiet", "--sample", "\(sample)"]).status
        }
        // Each check until then finds nothing, and each one after it begins with the damaged receipt.
        let found = try (0..<rounds).map { _ in try check(sample) == 65 }
        #expect(found == (0..<rounds).map { $0 >= rank / sample }, "\(count) receipts, the one at \(rank)")
        #expect(try check(1) == 65)
        try change("UPDATE raw_receipt SET deflated = (SELECT deflated FROM kept) WHERE receipt_id = \(damaged)")
        #expect(try (0..<rounds).map { _ in try check(sample) } == [Int32](repeating: 0, count: rounds))
    }

    @Test("Every shipped schedule has a weekly check with a command that works")
    func schedules() throws {
        try Samples.copyDatabase(into: workdir)
        let units = Repository.file("pipelines/systemd")
        func read(_ url: URL) throws -> [String] {
            try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        }
        let service = try #require(
            try read(units.appending(path: "receiptmill-check.service")).first { $0.hasPrefix("ExecStart=") })
        let timer = try read(units.appending(path: "receiptmill-check.timer"))
        #expect(timer.contains { $0.hasPrefix("OnCalendar=Sun ") })
        let cron = try #require(
            try read(Repository.file("pipelines/crontab")).first { $0.contains("receiptmill check") })
        #expect(cron.split(separator: " ").prefix(5).last == "0", "\(cron)")
        let container = try #require(
            try read(Repository.file("docs/operations.md")).first { $0.hasPrefix("$mill check") })
        for line in [service, cron, container] {
            let words = line.split(separator: " ").map(String.init).drop { $0 != "check" }
            let command = words.map { $0 == "/var/lib/receiptmill/mill.sqlite" ? database : $0 }
            #expect(command.contains(database), "\(line)")
            let result = try Mill.run(command)
            #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(line) \(result)")
            #expect(exists("mill.sqlite-check"))
            unlink(workdir.path("mill.sqlite-check"))
        }
    }
}
