internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Nights whose database is damaged: what it took in is not safe, so no archive is given away.
@Suite struct DamagedNightTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private static let giving = ["move, move_to: done, expire_days: 1", "delete"]

    private func write(_ more: String = "", after: String) throws -> String {
        try write("keep_receipts: true\n\(more)", archives: "  - {path: in/*.gz, after: \(after)}\n")
    }

    /// A database that has loaded an archive, which lies in `done` and is old enough to be deleted, and a new one
    /// in the spool.
    private func prepare(_ file: String) throws {
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        if !exists("done") { try #require(mkdir(workdir.path("done"), 0o700) == 0) }
        if !exists("done/a.gz") {
            try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("done/a.gz"))
        }
        try DatabaseQueue(path: workdir.path("mill.sqlite")).writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    UPDATE archive SET completed_at = completed_at - 3 * 86400000;
                    DELETE FROM rejection;
                    PRAGMA wal_checkpoint(TRUNCATE)
                    """)
        }
        try Samples.copyBeginning(to: workdir.path("in/b.gz"))
    }

    /// Overwrites the root page of a table or an index, as a failing disk may.
    private func damage(_ name: String) throws {
        let database = workdir.path("mill.sqlite")
        let (root, size) = try DatabaseQueue(path: database).read { db in
            (
                try #require(
                    try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])),
                try #require(try Int.fetchOne(db, sql: "PRAGMA page_size"))
            )
        }
        let file = try FileHandle(forUpdating: URL(filePath: database))
        try file.seek(toOffset: UInt64((root - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xa5, count: 64))
        try file.close()
    }

    private func expectAllKept(_ what: Comment) {
        #expect(exists("in/b.gz") && exists("done/a.gz"), what)
    }

    /// A report of its own that reads one view, which nothing else reads.
    private func writeReport() throws {
        try? FileManager.default.createDirectory(atPath: workdir.path("own"), withIntermediateDirectories: false)
        try workdir.write(
            """
            -- taken-out: Archives that were taken out
            -- How many?
            -- Grain: one row per n
            -- Columns:
            --   n  integer  a number
            -- Example:
            --   receiptmill report taken-out

            SELECT count(*) AS n FROM retractions HAVING count(*) > 0;
            """, to: "own/taken-out.sql")
    }

    @Test(
        "A fault of the database keeps all archives, whichever stage meets it", arguments: giving,
        [
            ("load", "receipt_digest", ""), ("retention", "submission", "retention_days: 1\n"),
            ("facts", "signal_sighting", ""),
            ("report", "retraction", "report_folder: own\nreports: [{name: taken-out, output: r.csv}]\n"),
            ("alarm", "retraction", "report_folder: own\nalarms: {no_rows: [{name: taken-out}]}\n"),
            ("letters", "dead_letter", "dead_letters: {file: letters.gz}\n"),
        ])
    func everyStage(after: String, stage: (name: String, table: String, keys: String)) throws {
        try writeReport()
        let file = try write(stage.keys, after: after)
        try prepare(file)
        try damage(stage.table)
        let night = try Mill.run(["run", file])
        #expect([65, 74].contains(night.status), "\(stage.name): \(night)")
        #expect(night.errors.contains("database_damaged"), "\(stage.name): \(night)")
        expectAllKept("\(stage.name): \(night)")
        // What that night has loaded is known to a file that is damaged, and is not safe the night after.
        let next = try Mill.run(["run", try write(after: after)])
        #expect(next.status == 74 && next.errors.contains("is not loaded into"), "\(stage.name): \(next)")
        expectAllKept("\(stage.name): \(next)")
    }

    @Test("Where a backup is put back, the archives that were kept are loaded into it and go", arguments: giving)
    func afterRestoring(after: String) throws {
        let file = try write(after: after)
        try prepare(file)
        let copy = workdir.path("copy.sqlite")
        #expect(try Mill.run(["backup", copy, "--database", workdir.path("mill.sqlite")]).status == 0)
        try damage("receipt_digest")
        let night = try Mill.run(["run", file])
        #expect(night.status == 74, "\(night)")
        let hint = try #require(try records(night.errors).last?["hint"])
        // In the order in which it has to be done.
        let steps = ["last backup", "mill.sqlite-wal", "receiptmill run --reload-moved \(file)"]
        let places = steps.map { hint.range(of: $0)?.lowerBound }
        #expect(
            places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted(),
            "\(hint)")
        #expect(hint.contains(after.hasPrefix("move") ? workdir.path("done") : "delivered again"), "\(hint)")
        for ending in ["", "-wal", "-shm"] { unlink(workdir.path("mill.sqlite" + ending)) }
        try FileManager.default.moveItem(atPath: copy, toPath: workdir.path("mill.sqlite"))
        let reloaded = try Mill.run(["run", file, "--reload-moved"])
        #expect(reloaded.status == 0, "\(reloaded)")
        #expect(!exists("mill.sqlite-fault"))
        #expect(try lines("SELECT count(*) FROM archives WHERE complete") == ["2"])
        // The three rejected lines of the beginning stand in it alone.
        #expect(exists("in/b.gz") == (after == "delete"))
    }

    @Test("Bytes that flip anywhere give no archive away in a night that meets them", arguments: giving)
    func flippedBytes(after: String) throws {
        let file = try write("reports: [{name: refunds, output: r.csv}]\n", after: after)
        try prepare(file)
        let (whole, identity) = (try workdir.read("mill.sqlite"), try workdir.read("mill.sqlite-identity"))
        var (generator, met) = (SeededGenerator(seed: 42), 0)
        for _ in 0..<(Nightly.isOn ? 60 : 8) {
            var bytes = whole
            for _ in 0..<30 { bytes[Int.random(in: 100..<bytes.count, using: &generator)] ^= 0xff }
            for ending in ["-wal", "-shm", "-fault"] { unlink(workdir.path("mill.sqlite" + ending)) }
            try workdir.write(bytes, to: "mill.sqlite")
            try workdir.write(identity, to: "mill.sqlite-identity")
            let night = try Mill.run(["run", file])
            guard night.status != 0 else {
                // Nothing has read what was flipped: all went its way.
                for name in ["in/b.gz", "done/b.gz"] { unlink(workdir.path(name)) }
                try Samples.copyBeginning(to: workdir.path("in/b.gz"))
                if !exists("done/a.gz") {
                    try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("done/a.gz"))
                }
                continue
            }
            met += 1
            expectAllKept("\(night)")
        }
        #expect(met > 0)
    }
}
