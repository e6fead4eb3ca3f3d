internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Nights in which something is wrong: nothing is lost, and the morning is told.
@Suite struct NightFaultTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func write(_ more: String = "", after: String) throws -> String {
        try write(more, archives: "  - {path: in/*.gz, after: \(after)}\n")
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: workdir.path(name))[.posixPermissions] as? Int
    }

    private static let wrongKeys = "lines: {ignore_keys: [receipt]}\n"

    // MARK: Archives

    @Test("An archive that holds the only copy of its rejected lines is not deleted")
    func keepsOnlyCopy() throws {
        try deliver()
        let result = try Mill.run(["run", try write(Self.wrongKeys, after: "delete"), "--format", "json"])
        #expect(exists("in/a.gz"))
        #expect(result.output.contains(#""archives_deleted":0,"archives_kept":1"#), "\(result)")
        let record = try #require(try records(result.errors).first { $0["archive"] == workdir.path("in/a.gz") })
        #expect(record["level"] == "warning")
        #expect(record["lines"] == (try lines("SELECT count(*) FROM rejections"))[0])
    }

    @Test("An archive whose rejected lines the database keeps is deleted")
    func deletesWithRejects() throws {
        try deliver()
        let result = try Mill.run(["run", try write("dead_letters: {file: letters.gz}\n", after: "delete")])
        #expect(result.status == 0 && !exists("in/a.gz") && exists("letters.gz"), "\(result)")
    }

    @Test("Lines rejected for the wrong member names are loaded by retry", arguments: ["keep", "delete"])
    func retryAfterWrongKeys(after: String) throws {
        try deliver()
        #expect(try Mill.run(["run", try write(Self.wrongKeys, after: after)]).status == 65)
        let rejected = try lines("SELECT count(*) FROM rejections")[0]
        let file = try write(after: after)
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try lines("SELECT count(*) FROM rejections") == [rejected])
        let plan = try Mill.run(["run", file, "--retry", "--dry-run"])
        #expect(plan.output.contains("read rejected lines again"), "\(plan)")

        let result = try Mill.run(["run", file, "--retry"])
        #expect(result.status == 0, "\(result)")
        let whole = workdir.path("whole.sqlite")
        #expect(
            try Mill.run(["ingest", Samples.archive, "--trust", Samples.root, "--database", whole, "--quiet"]).status
                == 0)
        let counts = "SELECT (SELECT count(*) FROM submissions), (SELECT count(*) FROM rejections)"
        let wanted = try DatabaseQueue(path: whole).read { try Row.fetchOne($0, sql: counts) }
        #expect(try lines(counts) == ["\(try #require(wanted)[0] as Int)|\(try #require(wanted)[1] as Int)"])
        #expect(try Mill.run(["check", "--database", workdir.path("mill.sqlite")]).status == 0)
    }

    // MARK: What the morning reads

    @Test("The outcome states alarms and files that could not be written")
    func outcomes() throws {
        try deliver()
        let result = try Mill.run(["run", try write("alarms: {rejected_share: 0.0001}\n"), "--format", "json"])
        #expect(result.status == 65 && result.output.contains(#""outcome":"alarm""#))
        for more in ["reports: [{name: refunds, output: no/such.csv}]\n", "metrics: no/such.prom\n"] {
            let result = try Mill.run(["run", try write(more), "--format", "json"])
            #expect(result.status == 73 && result.output.contains(#""outcome":"incomplete""#), "\(result)")
        }
        let rejecting = [
            "ingest", Samples.archive, "--trust", Samples.root, "--database", workdir.path("other.sqlite"),
            "--max-rejected", "0", "--quiet",
        ]
        #expect(try Mill.run(rejecting).status == 65)
        #expect(try lines("SELECT outcome FROM runs ORDER BY run_id") == ["alarm", "incomplete", "incomplete"])
        let other = try DatabaseQueue(path: workdir.path("other.sqlite"))
        #expect(try other.read { try String.fetchAll($0, sql: "SELECT outcome FROM runs") } == ["alarm"])
    }

    @Test(
        "The next run raises the alarms of a run that ended before its alarms",
        arguments: ["interrupted", "stopped", "failed"], [false, true])
    func alarmsOfInterruptedRun(outcome: String, isIngestBetween: Bool) throws {
        try deliver()
        #expect(try Mill.run(["run", try write()]).status == 0)
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write {
            try $0.execute(sql: "UPDATE run SET outcome = ?", arguments: [outcome])
        }
        if isIngestBetween {
            let known = ["ingest", Samples.archive, "--trust", Samples.root, "--database", workdir.path("mill.sqlite")]
            #expect(try Mill.run(known).status == 0)
        }
        let file = try write("alarms: {rejected_share: 0.0001}\nenvironments: [Xcode]\n")
        let told = try Mill.run(["run", file, "--format", "json"])
        #expect(told.status == 65 && told.output.contains(#""lines":0"#), "\(told)")
        #expect(told.output.contains("too_many_rejected") && told.output.contains("unexpected_environment"))
        let after = try Mill.run(["run", file, "--format", "json"])
        #expect(after.status == 0 && after.output.contains(#""alarms":[]"#), "\(after)")
    }

    @Test("Reports and metrics are readable by others, the database and rejected lines are not")
    func fileModes() throws {
        try deliver()
        let more =
            "reports: [{name: refunds, output: r.csv}]\ndashboard: d.html\nmetrics: m.prom\n"
            + "dead_letters: {file: r.gz}\n"
        #expect(try Mill.run(["run", try write(more)]).status == 0)
        #expect(try mode("r.csv") == 0o640 && mode("d.html") == 0o640 && mode("m.prom") == 0o644)
        #expect(try mode("r.gz") == 0o600 && mode("mill.sqlite") == 0o600)
        // A report by hand as by night, also in the place of a file that all can read.
        try workdir.write("", to: "hand.csv")
        let report = ["report", "refunds", "--database", workdir.path("mill.sqlite"), "--output"]
        #expect(try Mill.run(report + [workdir.path("hand.csv")]).status == 0)
        #expect(try mode("hand.csv") == 0o640)
    }

    @Test("Log records have date, time and zone")
    func recordTimes() throws {
        try deliver()
        let before = Date()
        let result = try Mill.run(["run", try write("environments: [Xcode]\n")])
        let time = try #require(try records(result.errors).first?["time"])
        // RFC 3339, section 5.6, in UTC.
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/) != nil, "\(time)")
        let told = try Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        #expect(told.timeIntervalSince(before) > -1 && told.timeIntervalSince(before) < 60)
    }

    @Test("A pipeline file that is invalid is logged as a JSON record")
    func invalidFile() throws {
        let result = try Mill.run(["run", try write("limit:\n  inflation: 5\n")])
        #expect(result.status == 78)
        let record = try #require(try records(result.errors).first)
        #expect(record["path"] == workdir.path("night.yaml") && record["line"] == "6")
        #expect(record["exit_status"] == "78" && record["hint"]?.hasPrefix("did you mean limits?") == true)
        let text = try Mill.run(["run", workdir.path("night.yaml"), "--log-format", "text"])
        #expect(
            text.errors.hasPrefix("receiptmill: \(workdir.path("night.yaml")):6: limit: there is no such key\nhint: "))
    }

    @Test("A run that finds the database locked leaves the other run's metrics")
    func lockedOutMetrics() throws {
        try deliver()
        let file = try write("metrics: m.prom\n")
        try workdir.write("others", to: "m.prom")
        let lock = open(workdir.path("mill.sqlite-lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let ingest = [
            "ingest", Samples.archive, "--database", workdir.path("mill.sqlite"), "--metrics", workdir.path("m.prom"),
        ]
        for command in [["run", file], ingest] {
            #expect(try Mill.run(command).status == 75)
            #expect(try workdir.read("m.prom") == Array("others".utf8))
        }
        close(lock)
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try workdir.read("m.prom") != Array("others".utf8))
    }

    // MARK: Links, leftovers and former versions

    @Test(
        "A symbolic link that is moved still leads to its file",
        arguments: ["done", Workdir.pathElsewhere()])
    func movedLink(folder: String) throws {
        defer { if folder.hasPrefix("/") { try? FileManager.default.removeItem(atPath: folder) } }
        for folder in ["in", "there"] { try #require(mkdir(workdir.path(folder), 0o700) == 0) }
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("there/a.gz"))
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("in/a.gz"), withDestinationPath: "../there/a.gz")
        let file = try write(after: "move, move_to: \(folder)")
        #expect(try Mill.run(["run", file]).status == 0)
        let moved = folder.hasPrefix("/") ? folder + "/a.gz" : workdir.path("done/a.gz")
        var status = stat()
        #expect(lstat(moved, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(FileManager.default.contents(atPath: moved) == FileManager.default.contents(atPath: Samples.archive))
        #expect(exists("there/a.gz"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.path("in")).isEmpty)
    }

    @Test("An archive that a killed run had taken aside is put back and moved")
    func takenArchive() throws {
        try deliver()
        #expect(try Mill.run(["run", try write()]).status == 0)
        let aside = workdir.path("in/.a.gz.2000000000.taken")
        try FileManager.default.moveItem(atPath: workdir.path("in/a.gz"), toPath: aside)
        #expect(try Mill.run(["run", try write(after: "move, move_to: done")]).status == 0)
        #expect(exists("done/a.gz") && !FileManager.default.fileExists(atPath: aside))
    }

    @Test(
        "A former version of an archive that comes again is moved or deleted too",
        arguments: ["move, move_to: done", "delete"])
    func formerVersion(after: String) throws {
        let file = try write("dead_letters: {file: r.gz}\n", after: after)
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        let version = try Data(contentsOf: URL(filePath: Samples.archive))
        try (version + version).write(to: workdir.url.appending(path: "in/a.gz"))
        #expect(try Mill.run(["run", file]).status == 0)
        try deliver()
        #expect(try Mill.run(["run", file, "--dry-run"]).output.contains("a.gz: loaded before, "))
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(!exists("in/a.gz"))
    }

    // MARK: Disks

    @Test("A disk that fills up while an archive is moved ends with status 74 and loses nothing")
    func fullDiskWhileMoving() throws {
        let other = Workdir.pathElsewhere()
        defer { try? FileManager.default.removeItem(atPath: other) }
        try deliver()
        // gzip(1) allows zeros behind the last member.
        try (Data(contentsOf: URL(filePath: Samples.archive)) + Data(count: 8 << 20)).write(
            to: workdir.url.appending(path: "in/a.gz"))
        #expect(try Mill.run(["run", try write()]).status == 0)
        let file = try write(after: "move, move_to: \(other)")
        // Four MiB, in units of 512 bytes: more than the database has.
        let result = try Command(
            "sh", ["-c", "ulimit -f 8192; exec '\(Mill.binary.path)' run '\(file)'"]
        ).run()
        #expect(result.hasExited && result.status == 74)
        #expect(result.errors.contains("can't be moved: File too large"), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.path("in")) == ["a.gz"])
    }

    @Test("A limit on the size of files ends with status 74 and is named")
    func limitsFileSize() throws {
        // In units of 512 bytes.
        let script =
            "ulimit -f 200; exec '\(Mill.binary.path)' ingest '\(Samples.archive)' --trust '\(Samples.root)' "
            + "--database '\(workdir.path("mill.sqlite"))' --quiet"
        let result = try Command("sh", ["-c", script]).run()
        #expect(result.hasExited && result.status == 74)
        #expect(result.errors.contains("ulimit -f"), "\(result)")
        #expect(
            try Mill.run([
                "ingest", Samples.archive, "--trust", Samples.root, "--database", workdir.path("mill.sqlite"),
            ]).status == 0)
    }

    /// What lies beside a database that was read-only for a night has its mode then.
    @Test("The log of a database that was read-only becomes writable with it")
    func writableAgain() throws {
        try deliver()
        let file = try write()
        #expect(try Mill.run(["run", file]).status == 0)
        let names = ["mill.sqlite-wal", "mill.sqlite-shm"]
        for name in names { try workdir.write("", to: name) }
        for name in names { try #require(chmod(workdir.path(name), 0o400) == 0) }
        // Keeps the next run from removing them.
        let reader = try DatabaseQueue(path: workdir.path("mill.sqlite"))
        _ = try reader.read { try Row.fetchAll($0, sql: "SELECT * FROM runs") }
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try names.map(mode) == [0o600, 0o600])
        try reader.close()
    }

    @Test("A read-only database is reported by the dry run too", .enabled(if: geteuid() == 0))
    func readOnlyDatabase() throws {
        try deliver()
        let file = try write()
        #expect(try Mill.run(["run", file]).status == 0)
        for name in ["", "in", "mill.sqlite"] { try #require(chown(workdir.path(name), 65_534, 65_534) == 0) }
        try #require(chmod(workdir.path("mill.sqlite"), 0o400) == 0)
        for options in [[], ["--dry-run"]] {
            let user = ["--reuid=65534", "--regid=65534", "--clear-groups"]
            let result = try Command("setpriv", user + [Mill.binary.path, "run", file] + options).run()
            #expect(result.status == 73, "\(options)")
        }
    }

    @Test("A run that fails prints its error as JSON")
    func failureAsJSON() throws {
        try deliver()
        let file = try write()
        let database = workdir.path("mill.sqlite")
        func expect(_ status: Int32, _ what: String, of command: [String]) throws {
            let result = try Mill.run(command + ["--format", "json"])
            let summary = try #require(
                JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result)")
            #expect(result.status == status && summary["exit_status"] as? Int32 == status, "\(result)")
            #expect(summary["outcome"] as? String == "failed" && summary["failures"] as? Int == 1)
            let error = try #require(summary["error"] as? [String: Any])
            #expect((error["what"] as? String)?.contains(what) == true, "\(error)")
        }
        let commands = [["run", file], ["ingest", Samples.archive, "--database", database]]
        let lock = open(database + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        for command in commands { try expect(75, "another run", of: command) }
        close(lock)
        try workdir.write("no database, but long enough to be taken for one that is damaged", to: "mill.sqlite")
        for command in commands { try expect(73, "SQLite", of: command) }
        try expect(78, "expected", of: ["run", try write("jobs: many\n")])
    }
}
