internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Nights that could not begin, or ended because of a full disk: the next morning shows why, although the database
/// can't.
@Suite struct FailedStartTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private typealias Object = [String: Any]

    private func object(_ text: String) throws -> Object {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object, "\(text)")
    }

    private func status(_ file: String, asNobody: Bool = false) throws -> (status: Int32, object: Object) {
        let result = try Mill.run(["status", "--pipeline", file, "--json"], asNobody: asNobody)
        return (result.status, try object(result.output))
    }

    private func line(_ subject: String, _ screen: Object) -> Object? {
        (screen["lines"] as? [Object])?.first { $0["subject"] as? String == subject }
    }

    /// A successful night, run as a user without other rights.
    private func nightOfNobody() throws -> String {
        try deliver()
        let file = try write()
        for name in ["", "in", "in/a.gz"] { try #require(chown(workdir.path(name), 65_534, 65_534) == 0) }
        let night = try Mill.run(["run", file], asNobody: true)
        try #require(night.status == 0, "\(night)")
        return file
    }

    // MARK: Nights that could not begin

    @Test("A night that found the database locked is shown with time, status, message and advice until a run succeeds")
    func locked() throws {
        try deliver()
        let file = try write("metrics: m.prom\n")
        #expect(try Mill.run(["run", file]).status == 0)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let writer = try DatabaseQueue(path: workdir.path("mill.sqlite"), configuration: configuration)
        try writer.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let before = Date().timeIntervalSince1970
        #expect(try Mill.run(["run", file, "--wait", "1s"]).status == 74)
        // Another run at work is not a failure.
        try writer.close()
        let lock = open(workdir.path("mill.sqlite-lock"), O_RDWR | O_CREAT, 0o600)
        try #require(flock(lock, LOCK_EX) == 0)
        #expect(try Mill.run(["run", file]).status == 75)
        close(lock)
        unlink(workdir.path("mill.sqlite-lock"))

        let (code, screen) = try status(file)
        #expect(code == 65, "\(screen)")
        let told = try #require(screen["failed_start"] as? Object)
        #expect(told["exit_status"] as? Int == 74 && told["run_id"] == nil, "\(told)")
        let time = try Date(try #require(told["failed_at"] as? String), strategy: .iso8601)
        #expect(abs(time.timeIntervalSince1970 - before) < 60)
        let line = try #require(self.line("failed_start", screen))
        #expect(line["needs_person"] as? Bool == true)
        let text = try #require(line["text"] as? String)
        #expect(text.contains("with 74: ") && text.contains("mill.sqlite: SQLite: database is locked"), "\(text)")
        #expect((line["advice"] as? String)?.contains("fuser -v FILE") == true, "\(line)")
        #expect(line["next"] as? String == "receiptmill run \(file)")
        let shown = try Mill.run(["status", "--pipeline", file])
        #expect(shown.output.contains("\n! last start") && !shown.output.contains("all is well"), "\(shown)")
        let gauges = try Mill.run(["status", "--pipeline", file, "--format", "prometheus"])
        #expect(gauges.output.contains("\nreceiptmill_status_failed_start 1.0\n"), "\(gauges)")

        #expect(try Mill.run(["run", file]).status == 0)
        let after = try status(file)
        #expect(after.status == 0 && after.object["failed_start"] == nil, "\(after)")
    }

    @Test(
        "A folder or a database that the service may not write to is reported to the service and to root",
        .enabled(if: geteuid() == 0), arguments: ["folder", "database", "lock"])
    func notWritable(what: String) throws {
        let file = try nightOfNobody()
        #expect(try status(file, asNobody: true).status == 0)
        switch what {
        case "folder": try #require(chmod(workdir.url.path, 0o555) == 0)
        case "database": try #require(chmod(workdir.path("mill.sqlite"), 0o400) == 0)
        default:
            try workdir.write("", to: "mill.sqlite-lock")
            try #require(chmod(workdir.path("mill.sqlite-lock"), 0o600) == 0)
        }
        defer { chmod(workdir.url.path, 0o755) }
        let early = try status(file, asNobody: true)
        // SQLite may be unable to read a database without creating a file beside it.
        #expect([65, 66].contains(early.status), "\(early)")
        let writing = try #require(self.line("writing", early.object))
        #expect((writing["text"] as? String)?.contains("Permission denied") == true, "\(writing)")
        #expect(writing["needs_person"] as? Bool == true && writing["advice"] != nil, "\(writing)")

        #expect(try Mill.run(["run", file], asNobody: true).status == 73)
        for asNobody in [true, false] {
            let told = try status(file, asNobody: asNobody)
            #expect([65, 66].contains(told.status), "\(told)")
            let line = try #require(self.line("failed_start", told.object))
            #expect((line["text"] as? String)?.contains("with 73: ") == true, "\(line)")
        }
    }

    @Test(
        "A folder that may not be searched is reported as such, not as a missing database",
        .enabled(if: geteuid() == 0))
    func unsearchable() throws {
        try #require(mkdir(workdir.path("shut"), 0o700) == 0)
        for name in ["", "shut"] { try #require(chown(workdir.path(name), 65_534, 65_534) == 0) }
        try Samples.copyDatabase(into: workdir)
        try FileManager.default.moveItem(
            atPath: workdir.path("mill.sqlite"), toPath: workdir.path("shut/mill.sqlite"))
        try #require(chown(workdir.path("shut/mill.sqlite"), 65_534, 65_534) == 0)
        let database = workdir.path("shut/mill.sqlite")
        try #require(chmod(workdir.path("shut"), 0o600) == 0)
        let file = try workdir.write(
            "database: shut/mill.sqlite\ntrust: {anchors: [\(Samples.root)]}\narchives: [{path: in/*.gz}]\n",
            to: "night.yaml")
        for command in [
            ["run", file], ["run", file, "--dry-run"], ["status", "--pipeline", file],
            ["status", "--database", database], ["report", "refunds", "--database", database],
            ["check", "--database", database], ["backup", workdir.path("copy"), "--database", database],
            ["dismiss", "a.gz:1", "--database", database], ["compact", "--database", database],
            ["ingest", Samples.archive, "--database", database], ["migrate", "--database", database],
        ] {
            let result = try Mill.run(command, asNobody: true)
            let text = result.output + result.errors
            #expect([66, 73].contains(result.status), "\(command) \(result)")
            #expect(text.contains("Permission denied"), "\(command) \(result)")
            #expect(!text.contains("no such database") && !text.contains("restore"), "\(command) \(result)")
        }
    }

    // MARK: Full disks

    @Test(
        "A night shows that the disk was full, whenever that happened, and not that the run was killed",
        .enabled(if: geteuid() == 0))
    func fullDisk() throws {
        try deliver("a.gz")
        let rest = #"gzip -dc "$0" | sed 's/^{/{ /' | gzip > b.gz"#
        try #require(try Command("sh", ["-c", rest, Samples.archive], in: workdir.url).run().status == 0)
        try workdir.write(
            "database: full/mill.sqlite\ncreate: true\ntrust: {anchors: [\(Samples.root)]}\n"
                + "archives: [{path: 'full/in/*.gz'}]\n", to: "night.yaml")
        // The disk of 48 MiB is mounted for this process only. A binary search finds the space that is just enough, so
        // that the last nights that fail do so at the end, where the log is moved into the database.
        let script = """
            mkdir -p full saved && mount -t tmpfs -o size=48m none full && mkdir full/in
            cp in/a.gz full/in && "$0" run night.yaml && cp full/mill.sqlite* saved || exit 1
            night() {
                rm -rf full/* && mkdir full/in && cp saved/* full && cp b.gz full/in
                head -c $((($(df -k --output=avail full | tail -n 1) - $1) * 1024)) /dev/zero > full/fill
                SQLITE_TMPDIR=. "$0" run night.yaml --no-preflight 2> /dev/null && return
                "$0" status --pipeline night.yaml --json | tr -d '\\n'
                echo
                false
            }
            low=0 high=4096
            while [ $((high - low)) -gt 12 ]; do
                free=$(((low + high) / 2))
                if night $free; then high=$free; else low=$free; fi
            done
            night $low && exit 1
            rm full/fill && "$0" run night.yaml
            echo "again $?" && "$0" report archive-loads --database full/mill.sqlite --format csv > /dev/null
            "$0" status --pipeline night.yaml --json | tr -d '\\n'; cp full/mill.sqlite .
            """
        let result = try Command("unshare", ["-m", "sh", "-c", script, Mill.binary.path], in: workdir.url).run()
        let lines = result.output.split(separator: "\n").map(String.init).filter { !$0.isEmpty }
        let end = try #require(lines.firstIndex(of: "again 0"), "\(result)")
        let nights = try lines[..<end].map(object)
        #expect(nights.count > 3)
        for night in nights {
            #expect(night["needs_person"] as? Bool == true, "\(night)")
            let isOfStart = line("failed_start", night) != nil
            let line = try #require(self.line(isOfStart ? "failed_start" : "last_run", night))
            let text = try #require(line["text"] as? String)
            #expect(text.contains("failed") && !text.contains("killed"), "\(text)")
            #expect(text.contains("full") || text.contains("disk I/O error") || text.contains("No space"), "\(text)")
        }
        // The last of them could not write their end into the database; the next run completes the row.
        #expect((nights.last?["failed_start"] as? Object)?["run_id"] as? Int == 2, "\(nights.last ?? [:])")
        let after = try object(lines[end + 1])
        let needed = (after["lines"] as? [Object] ?? []).filter { $0["needs_person"] as? Bool == true }
        // The disk has less free space than a mill should have.
        #expect(after["failed_start"] == nil && needed.compactMap { $0["subject"] as? String } == ["disk"], "\(after)")
        let runs = try self.lines("SELECT outcome, exit_status, reason LIKE '%full%' FROM runs ORDER BY run_id")
        #expect(runs == ["done|-|-", "failed|74|1", "done|-|-"])
    }
}
