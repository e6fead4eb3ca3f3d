internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Faults that nights have met.
@Suite struct SeenFaultTests {
    private let workdir: Workdir

    init() throws {
        workdir = try Workdir()
        try #require(mkdir(workdir.path("in"), 0o700) == 0)
    }

    private func write(_ more: String = "", archive: String = "") throws -> String {
        try workdir.write(
            "database: mill.sqlite\ncreate: true\ntrust: {anchors: [\(Samples.root)]}\nmetrics: m.prom\n"
                + "archives: [{path: in/*.gz\(archive)}]\n\(more)", to: "night.yaml")
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: workdir.path(name)) }

    private func sql(_ statement: String) throws {
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write { try $0.execute(sql: statement) }
    }

    @Test("A clock that was years ahead does not keep the alarm on missing archives silent")
    func clockAhead() throws {
        try Samples.copyBeginning(to: workdir.path("in/a.gz"))
        let night = try write("alarms: {archive_missing_days: 2}\n")
        #expect(try Mill.run(["run", night]).status == 0)
        // As that night would have left it; the next night's clock is right again.
        let decade = 3_652 * 86_400_000
        try sql(
            "UPDATE archive_place SET found_at = found_at + \(decade); UPDATE run SET started_at = started_at + \(decade)"
        )
        let jump = try Mill.run(["run", night])
        #expect(jump.status == 65 && jump.errors.contains("clock_jumped"), "\(jump)")
        #expect(try Mill.run(["run", night]).status == 0)
        // Three days later.
        try sql("UPDATE archive_place SET found_at = found_at - 3 * 86400000")
        let late = try Mill.run(["run", night])
        #expect(late.status == 66 && late.errors.contains("has come for 2 days"), "\(late)")
    }

    private static let forms: [(name: String, beginning: [UInt8], what: String)] = [
        ("xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4, 0x0a], "compressed by xz"),
        ("zstd", [0x28, 0xb5, 0x2f, 0xfd, 4, 0x0a], "compressed by zstd"),
        ("zip", [0x50, 0x4b, 3, 4, 20, 0, 0x0a], "compressed by zip"),
        ("bzip2", Array("BZh91AY&SY".utf8), "compressed by bzip2"),
        ("UTF-16", Array("{\"receipt\":\"\"}\n".utf8).flatMap { [$0, 0] }, "in UTF-16"),
        ("UTF-16 with its mark", [0xfe, 0xff, 0, 0x7b, 0, 0x7d], "in UTF-16"),
    ]

    @Test("Text in a form that is not read is told by that form, also within gzip", arguments: forms, [false, true])
    func foreignForm(form: (name: String, beginning: [UInt8], what: String), isPacked: Bool) throws {
        try workdir.write(form.beginning, to: "in/a.gz")
        if isPacked {
            let packed = try Command("gzip", ["-nc", workdir.path("in/a.gz")]).run().bytes
            try workdir.write(packed, to: "in/a.gz")
        }
        let result = try Mill.run(["run", try write()])
        #expect(result.status == 65 && result.errors.contains(form.what), "\(result)")
        #expect(try Stored(workdir.path("mill.sqlite")).lines("SELECT count(*) FROM rejections") == ["0"])
    }

    @Test("A damaged archive is reported once, and lies where damaged_to says")
    func quarantine() throws {
        try Samples.copyBeginning(to: workdir.path("in/a.gz"))
        try Samples.copyBeginning(to: workdir.path("whole.gz"))
        let whole = try workdir.read("in/a.gz")
        try workdir.write(Array(whole.dropLast(whole.count / 3)), to: "in/a.gz")
        let night = try write(archive: ", damaged_to: bad")
        let first = try Mill.run(["run", night])
        #expect(first.status == 65 && first.errors.contains("moved to \(workdir.path("bad/a.gz"))"), "\(first)")
        #expect(exists("bad/a.gz") && !exists("in/a.gz"))
        #expect(try Mill.run(["run", night]).status == 0)
        try workdir.write(whole, to: "in/a.gz")
        #expect(try Mill.run(["run", night]).status == 0)
        #expect(exists("in/a.gz"))
        #expect(try Stored(workdir.path("mill.sqlite")).lines("SELECT lines FROM archives WHERE complete") == ["30"])
    }

    @Test("Moved archives are deleted after expire_days, but for those that hold the only copy of rejected lines")
    func expiry() throws {
        let script = #"gzip -dc "$0" | sed -n 1,2p | gzip -n > in/a.gz; cp "$0" in/b.gz"#
        try Samples.copyBeginning(to: workdir.path("beginning.gz"))
        #expect(try Command("sh", ["-c", script, workdir.path("beginning.gz")], in: workdir.url).run().status == 0)
        let night = try write(archive: ", after: move, move_to: done, expire_days: 7")
        #expect(try Mill.run(["run", night]).status == 0)
        try workdir.write("not loaded", to: "done/c.gz")
        #expect(exists("done/a.gz") && exists("done/b.gz"))
        // The run says once that it does not know the file.
        let told = try Mill.run(["run", night])
        #expect(told.status == 65 && told.errors.contains("c.gz"), "\(told)")
        try sql("UPDATE archive SET completed_at = completed_at - 6 * 86400000")
        #expect(try Mill.run(["run", night]).status == 0)
        #expect(exists("done/a.gz"))
        try sql("UPDATE archive SET completed_at = completed_at - 2 * 86400000")
        #expect(try Mill.run(["run", night]).status == 0)
        #expect(!exists("done/a.gz") && exists("done/b.gz") && exists("done/c.gz"))
    }

    @Test(
        "A pipeline file that makes no sense leaves metrics that say so",
        arguments: ["jobs: many\n", "nonsense: 1\n", "alarms: {\n"])
    func metricsOfNonsense(more: String) throws {
        let result = try Mill.run(["run", try write(more)])
        #expect(result.status == 78, "\(result)")
        let metrics = String(decoding: try workdir.read("m.prom"), as: UTF8.self)
        #expect(metrics.contains("receiptmill_run_exit_status 78"))
        #expect(metrics.contains("receiptmill_run_end_timestamp_seconds"))
    }

    @Test("A few bytes of empty lines make a bounded number of rejections, also over many nights")
    func emptyLines() throws {
        let script = "head -c 2000000 /dev/zero | tr '\\0' '\\n' | gzip -9n > in/a.gz"
        #expect(try Command("sh", ["-c", script], in: workdir.url).run().status == 0)
        let night = try write("limits: {rejections: 1000, inflation: 10000}\n")
        for _ in 0..<2 {
            let result = try Mill.run(["run", night])
            #expect(
                result.status == 65 && result.errors.contains("more than were loaded, and more than 1000"), "\(result)")
        }
        let rejected = try Stored(workdir.path("mill.sqlite")).lines(
            "SELECT count(*) < 300000, count(*) > 1000 FROM rejections")
        #expect(rejected == ["1|1"])
        #expect(
            try Stored(workdir.path("mill.sqlite")).lines(
                "SELECT lines = (SELECT count(*) FROM rejections) FROM archives") == ["1"])
    }

    @Test("A limit on open files is named with what raises it", arguments: [5, 7, 8, 12, 31])
    func openFiles(limit: Int) throws {
        try Samples.copyBeginning(to: workdir.path("in/a.gz"))
        let script = "ulimit -n \(limit); exec \"$0\" ingest \"$1\" -d \"$1.sqlite\""
        let result = try Command("sh", ["-c", script, Mill.binary.path, workdir.path("in/a.gz")]).run()
        #expect(result.hasExited && result.status == 73 && result.errors.contains("ulimit -n"), "\(result)")
    }

    @Test("The least limit on open files is enough for a load")
    func leastOpenFiles() throws {
        try Samples.copyBeginning(to: workdir.path("in/a.gz"))
        let script = "ulimit -n 32; exec \"$0\" ingest \"$1\" -d \"$1.sqlite\" --quiet --no-preflight"
        let result = try Command("sh", ["-c", script, Mill.binary.path, workdir.path("in/a.gz")]).run()
        #expect(result.status == 0, "\(result)")
    }

    @Test("A temporary folder that can't be used is named, and how to name another")
    func temporaryFolder() throws {
        try Samples.copyBeginning(to: workdir.path("in/a.gz"))
        let script = "cat \"$1\" | TMPDIR=/nowhere \"$0\" ingest - -d \"$2\""
        let result = try Command(
            "sh", ["-c", script, Mill.binary.path, workdir.path("in/a.gz"), workdir.path("mill.sqlite")]
        ).run()
        #expect(result.errors.contains("/nowhere") && result.errors.contains("set TMPDIR"), "\(result)")
    }

    @Test("What root leaves behind belongs to the folder's owner", .enabled(if: geteuid() == 0))
    func ofRoot() throws {
        try Samples.copyBeginning(to: workdir.path("in/a.gz"))
        try #require(chown(workdir.url.path, 65_534, 65_534) == 0)
        let night = try write(
            "dashboard: d.html\ndead_letters: {file: letters.gz}\nreports: [{name: refunds, output: r.csv, format: csv}]\n"
        )
        let result = try Mill.run(["run", night])
        #expect(result.status == 0, "\(result)")
        #expect(try Mill.run(["backup", workdir.path("copy.sqlite"), "-d", workdir.path("mill.sqlite")]).status == 0)
        for name in ["mill.sqlite", "mill.sqlite-identity", "m.prom", "d.html", "r.csv", "letters.gz", "copy.sqlite"] {
            var status = stat()
            #expect(stat(workdir.path(name), &status) == 0 && status.st_uid == 65_534, "\(name)")
        }
    }

    @Test(
        "Every command that opens a database takes it by -d, and those that say something --quiet",
        arguments: [
            "ingest", "load", "report", "check", "backup", "init", "migrate", "retry", "dismiss", "flag", "erase",
            "compact", "regrade", "rekey", "retract",
        ])
    func spelling(command: String) throws {
        let help = try Mill.run([command, "--help"]).output
        #expect(help.contains("-d, --database"), "\(help)")
        if !["report", "backup", "init", "flag"].contains(command) { #expect(help.contains("--quiet"), "\(help)") }
    }
}
