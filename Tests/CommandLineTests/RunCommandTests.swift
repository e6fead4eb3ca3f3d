internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// `receiptmill run` as cron runs it.
@Suite struct RunCommandTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    @Test("A night loads, reports and moves, and prints nothing")
    func wholeNight() throws {
        let file = try write(
            """
            reports:
              - {name: refunds, format: csv, output: refunds.csv}
            metrics: m.prom
            """, archives: "  - {path: in/*.gz, after: move, move_to: done}\n")
        try deliver()
        let result = try Mill.run(["run", file])
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
        #expect(exists("done/a.gz") && !exists("in/a.gz"))
        let report = try Mill.run(["report", "refunds", "--database", workdir.path("mill.sqlite"), "--format", "csv"])
        #expect(String(decoding: try workdir.read("refunds.csv"), as: UTF8.self) == report.output)
        #expect(
            try lines(
                "SELECT outcome, archives, archives_known, lines > 0, lines - submissions - rejected, version FROM runs"
            )
                == ["done|1|0|1|0|0.1.0"])

        // The same archive delivered again is known, and takes the place of the first.
        try deliver()
        let again = try Mill.run(["run", file, "--format", "json"])
        #expect(again.status == 0 && again.errors.isEmpty)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any])
        #expect(object["outcome"] as? String == "done" && object["exit_status"] as? Int == 0)
        #expect(object["archives_known"] as? Int == 1 && object["lines"] as? Int == 0)
        #expect(object["archives_moved"] as? Int == 1 && object["reports"] as? Int == 1)
        for _ in 0..<2 {
            #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.path("done")) == ["a.gz"])
            try deliver()
            #expect(try Mill.run(["run", file]).status == 0)
            #expect(!exists("in/a.gz"))
        }
        #expect(try lines("SELECT count(*) FROM runs") == ["4"])
    }

    @Test("A folder that matches a pattern is told, unless archives are moved there")
    func folderAmongArchives() throws {
        let file = try write(archives: "  - {path: in/*, after: move, move_to: in/done}\n")
        try deliver()
        for expected in [false, true] {
            let plan = try Mill.run(["run", "--dry-run", file])
            let result = try Mill.run(["run", file])
            #expect(result.status == 0 && exists("in/done/a.gz"), "\(result)")
            let folder = workdir.path("in/older")
            #expect(result.errors.contains("\(folder): is a folder") == expected, "\(result)")
            #expect(plan.output.contains("folder \(folder): matches a pattern") == expected, "\(plan)")
            #expect(!(result.errors + plan.output).contains("in/done: "))
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    @Test("An archive is moved whole to another file system")
    func movedAcrossFileSystems() throws {
        let other = Workdir.pathElsewhere()
        let devices = try [URL(filePath: other).deletingLastPathComponent().path, workdir.url.path].map {
            try FileManager.default.attributesOfItem(atPath: $0)[.systemNumber] as? Int
        }
        try #require(devices[0] != devices[1], "/dev/shm has to be another file system than the temporary folder")
        defer { try? FileManager.default.removeItem(atPath: other) }
        let file = try write(archives: "  - {path: in/*.gz, after: move, move_to: \(other)}\n")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["a.gz"])
        #expect(
            FileManager.default.contents(atPath: other + "/a.gz")
                == FileManager.default.contents(atPath: Samples.archive))
        #expect(!exists("in/a.gz"))
    }

    @Test("A night writes the dashboard that the report command writes")
    func dashboard() throws {
        let file = try write("dashboard: night.html\n")
        try deliver()
        #expect(try Mill.run(["run", "--dry-run", file]).output.contains("dashboard to \(workdir.path("night.html"))"))
        #expect(try Mill.run(["run", file]).status == 0)
        let page = workdir.path("own.html")
        let result = try Mill.run(["report", "--html-dashboard", page, "--database", workdir.path("mill.sqlite")])
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
        #expect(String(decoding: try workdir.read("own.html"), as: UTF8.self).hasSuffix("</html>\n"))
        // But for when each was made.
        func text(_ name: String) throws -> String {
            try String(decoding: workdir.read(name), as: UTF8.self).replacing(/<time .*?<\/time>/, with: "")
        }
        #expect(try text("night.html") == text("own.html"))
    }

    @Test("A report and the dashboard need separate files")
    func separateFiles() throws {
        let file = try write("dashboard: a.html\nreports:\n  - {name: refunds, output: a.html}\n")
        let result = try Mill.run(["run", "--dry-run", file])
        #expect(result.status == 78)
        #expect(result.errors.contains("is another report, which would be overwritten"))
    }

    @Test("Only its owner can read the database")
    func databaseMode() throws {
        try deliver()
        #expect(try Mill.run(["run", try write()]).status == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: workdir.path("mill.sqlite"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("A dry run lists what would be done and changes nothing")
    func dryRun() throws {
        let file = try write(
            "reports:\n  - {name: refunds, output: refunds.csv}\n", archives: "  - {path: in/*.gz, after: delete}\n")
        try deliver()
        let before = try FileManager.default.subpathsOfDirectory(atPath: workdir.url.path).sorted()
        let result = try Mill.run(["run", file, "--dry-run"])
        #expect(result.status == 0)
        #expect(
            result.output.contains("a.gz: load, delete unless rejected lines of it would be lost\n")
                && result.output.contains("report refunds as csv to "))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: workdir.url.path).sorted() == before)
    }

    @Test("A dry run distinguishes a grown archive from a new one")
    func dryRunGrown() throws {
        try deliver("day.gz")
        let file = try write()
        #expect(try Mill.run(["run", file]).status == 0)
        let bytes = try workdir.read("in/day.gz")
        try workdir.write(bytes + bytes, to: "in/day.gz")
        try workdir.write("{}\n", to: "in/new.gz")
        let settled = try lines("SELECT lines FROM archives")[0]
        let plan = try Mill.run(["run", file, "--dry-run"]).output
        #expect(plan.contains("/day.gz: has grown, go on after line \(settled)\n") && plan.contains("/new.gz: load\n"))
    }

    @Test("A corrected dead letter among the archives is loaded and moved")
    func correctedLetter() throws {
        try FileManager.default.createDirectory(
            at: workdir.url.appending(path: "in"), withIntermediateDirectories: true)
        try workdir.write("{\n", to: "in/a.gz")
        let more = "dead_letters: {file: letters.gz}\nretention_days: 100000\n"
        let file = try write(more, archives: "  - {path: in/*, after: move, move_to: done}\n")
        let first = try Mill.run(["run", file, "--format", "json"])
        #expect(first.status == 0 && first.output.contains(#""rejected":{"invalid_json":1}"#), "\(first)")
        #expect(first.output.contains(#""dead_letters":1"#) && exists("letters.gz"))
        // As an operator corrects it.
        let correct = Process()
        correct.executableURL = URL(filePath: "/bin/sh")
        correct.arguments = [
            "-c",
            """
            python3 -c "import gzip, json, sys
            letter = json.loads(gzip.open(sys.argv[1]).read())
            letter['line'] = gzip.open(sys.argv[2]).readline().decode()
            print(json.dumps(letter, sort_keys=True))" letters.gz '\(Samples.archive)' > in/corrected.jsonl
            """,
        ]
        correct.currentDirectoryURL = workdir.url
        try correct.run()
        correct.waitUntilExit()
        let plan = try Mill.run(["run", file, "--dry-run"])
        #expect(
            plan.output.contains("in/corrected.jsonl: a dead-letter file, load what was corrected, move to"), "\(plan)")
        let second = try Mill.run(["run", file, "--format", "json"])
        #expect(second.status == 0 && second.output.contains(#""corrections_applied":1"#), "\(second)")
        #expect(try lines("SELECT count(*) FROM rejections") == ["0"])
        #expect(!exists("letters.gz") && exists("done/corrected.jsonl") && !exists("in/corrected.jsonl"))
        #expect(try lines("SELECT count(*) FROM archives") == ["1"])
    }

    @Test("Archives are deleted only when they are whole")
    func deletedWhenWhole() throws {
        let file = try write("dead_letters: {file: r.gz}\n", archives: "  - {path: in/*.gz, after: delete}\n")
        try deliver()
        let bytes = try workdir.read("in/a.gz")
        try workdir.write(Array(bytes.dropLast(bytes.count / 3)), to: "in/b.gz")
        #expect(try Mill.run(["run", file]).status == 65)
        #expect(!exists("in/a.gz") && exists("in/b.gz"))
    }

    @Test("Archives that were moved are not found again through a link")
    func movedBehindLink() throws {
        for folder in ["in", "in/eu", "done"] { try #require(mkdir(workdir.path(folder), 0o700) == 0) }
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("in/old"), withDestinationPath: workdir.path("done"))
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("in/eu/a.gz"))
        let file = try write(archives: "  - {path: in/*/*.gz, after: move, move_to: done}\n")
        for moved in [1, 0] {
            let result = try Mill.run(["run", file, "--format", "json"])
            #expect(result.status == 0 && result.output.contains(#""archives_moved":\#(moved),"#), "\(result)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.path("done")) == ["a.gz"])
        }
    }

    @Test("Invalid pipeline files end with status 78 and name the line")
    func invalidFiles() throws {
        let result = try Mill.run(["run", try write("metric: m.prom\n")])
        #expect(result.status == 78)
        #expect(result.errors.contains("night.yaml:6: metric: there is no such key"))
        #expect(result.errors.contains("did you mean metrics?"))
        #expect(!exists("mill.sqlite"))
        #expect(try Mill.run(["run"]).status == 64)
        #expect(try Mill.run(["run", workdir.path("absent.yaml")]).status == 66)
    }

    @Test("A reader in a long transaction delays neither the load nor the log for ever")
    func longReader() throws {
        try deliver()
        let file = try write("metrics: m.prom\n")
        #expect(try Mill.run(["run", file]).status == 0)
        var configuration = Configuration()
        configuration.readonly = true
        let reader = try DatabaseQueue(path: workdir.path("mill.sqlite"), configuration: configuration)
        try reader.inDatabase { db in
            let count = "SELECT count(*) FROM submissions"
            try db.execute(sql: "BEGIN")
            let before = try Int.fetchOne(db, sql: count)
            try Data(Data(contentsOf: URL(filePath: Samples.archive)) + Data([0])).write(
                to: workdir.url.appending(path: "in/b.gz"))
            #expect(try Mill.run(["run", file]).status == 0)
            #expect(try Int.fetchOne(db, sql: count) == before)
            #expect(try logBytes() > 0)
            try db.execute(sql: "COMMIT")
            #expect(try Int.fetchOne(db, sql: count) == (before ?? 0) * 2)
        }
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try logBytes() == 0)
    }

    /// What the metrics tell of the write-ahead log.
    private func logBytes() throws -> Double {
        let text = String(decoding: try workdir.read("m.prom"), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("receiptmill_database_log_bytes ") }
        return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
    }

    @Test("Metrics are in Prometheus text format")
    func metrics() throws {
        try deliver()
        #expect(try Mill.run(["run", try write("metrics: m.prom\n")]).status == 0)
        let text = String(decoding: try workdir.read("m.prom"), as: UTF8.self)
        // Prometheus' documentation, "Exposition formats", text format.
        let sample = /[a-zA-Z_:][a-zA-Z0-9_:]*(\{[a-zA-Z_][a-zA-Z0-9_]*="[^"\\]*"\})? -?[0-9.e+]+/
        let comment = /# (HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* .+/
        #expect(text.hasSuffix("\n"))
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.wholeMatch(of: sample) != nil || line.wholeMatch(of: comment) != nil, "\(line)")
        }
        let counted = try lines("SELECT lines FROM runs")[0]
        #expect(
            text.contains("\nreceiptmill_run_lines \(counted).0\n")
                && text.contains("\nreceiptmill_run_exit_status 0.0\n"))
        // A run that fails says so too.
        try workdir.write(Array("no database".utf8), to: "mill.sqlite")
        #expect(try Mill.run(["run", workdir.path("night.yaml")]).status == 73)
        #expect(
            String(decoding: try workdir.read("m.prom"), as: UTF8.self).contains("receiptmill_run_exit_status 73.0\n"))
    }
}
