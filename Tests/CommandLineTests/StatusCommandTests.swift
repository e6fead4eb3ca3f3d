internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// What an operator sees at three in the morning.
@Suite struct StatusCommandTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private struct Screen {
        let status: Int32
        let object: [String: Any]

        subscript(_ name: String) -> [String: Any] { object[name] as? [String: Any] ?? [:] }
        var lines: [[String: Any]] { object["lines"] as? [[String: Any]] ?? [] }
        /// Subjects for which a person is needed.
        var needed: [String] {
            lines.filter { $0["needs_person"] as? Bool == true }.compactMap { $0["subject"] as? String }
        }
        func line(_ subject: String) -> (text: String, advice: String, next: String)? {
            lines.first { $0["subject"] as? String == subject }
                .map { ($0["text"] as? String ?? "", $0["advice"] as? String ?? "", $0["next"] as? String ?? "") }
        }
    }

    private func status(_ arguments: String...) throws -> Screen {
        let result = try Mill.run(["status"] + arguments + ["--json"])
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return Screen(status: result.status, object: try #require(object, "\(result)"))
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: workdir.path("mill.sqlite"))
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    private var database: String { workdir.path("mill.sqlite") }
    private static let day = 86_400_000

    @Test("Cases are shown with as many new signals of high severity as the dashboard counts")
    func newSignals() throws {
        try Samples.copyDatabase(into: workdir)
        let report = try Mill.run([
            "report", "standing", "--columns", "new_high_signals", "--format", "csv", "--database", database,
        ])
        let count = try #require(Int(report.output.split(separator: "\r\n").last ?? ""), "\(report)")
        let line = try #require(try status("--database", database).line("cases"))
        #expect(
            count > 0 && line.text.hasSuffix(" without a decision, \(count) new signals of high severity"), "\(line)")
    }

    @Test("A green night: counts of the last run by archive, and nobody is needed")
    func green() throws {
        let file = try write(archives: "  - {path: in/*.gz, after: move, move_to: done}\n")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        let screen = try status("--pipeline", file)
        #expect(screen.status == 0 && screen.needed.isEmpty, "\(screen)")
        #expect(screen["last_run"]["outcome"] as? String == "done")
        #expect(screen["last_run"]["lines"] as? Int == 300)
        let archive = try #require((screen.object["last_archives"] as? [[String: Any]])?.first)
        #expect(archive["lines"] as? Int == 300 && archive["name"] as? String == "a.gz")
        #expect(archive["rejected"] as? Int == 14)
        // Lines with another verdict than trusted, as data-samples/README.md counts them: 3 + 3 + 6 + 3 + 2 + 2 + 2.
        #expect(archive["untrusted"] as? Int == 21)
        #expect(screen["open_rejections"]["count"] as? Int == 14)
        // The queue that the screen names has to be there, with as many cases.
        let cases = try #require(screen.line("cases"))
        let words = cases.next.split(separator: " ").dropFirst().map(String.init)
        let queue = try Mill.run(words + ["--format", "jsonl", "--param", "top=1000"])
        let count = queue.output.split(separator: "\n").count
        #expect(queue.status == 0 && cases.text.hasPrefix("\(count) "), "\(cases) \(queue)")
        let text = try Mill.run(["status", "--pipeline", file])
        #expect(text.status == 0 && text.output.contains("all is well"), "\(text)")
        #expect(!text.output.contains("\u{1b}") && !text.output.split(separator: "\n").contains { $0.hasPrefix("!") })
    }

    @Test("A damaged archive: the reason is kept in runs, and the screen names the file and what to do")
    func damaged() throws {
        let file = try write(archives: "  - {path: in/*.gz, damaged_to: bad}\n")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        try deliver("b.gz")
        let cut = try Data(contentsOf: URL(filePath: workdir.path("in/b.gz"))).prefix(3000)
        try cut.write(to: URL(filePath: workdir.path("in/b.gz")))
        #expect(try Mill.run(["run", file]).status == 65)
        let screen = try status("--pipeline", file)
        #expect(screen.status == 65)
        #expect(screen.needed == ["last_run", "archives", "damaged_to"], "\(screen)")
        let line = try #require(screen.line("last_run"))
        #expect(line.text.contains("b.gz: the gzip stream is cut short"), "\(line)")
        #expect(line.next.contains("receiptmill run"), "\(line)")
        #expect(screen["last_success"]["run_id"] as? Int == 1)
        let stored = try lines(
            "SELECT outcome, exit_status, reason, advice IS NOT NULL, faults FROM runs WHERE run_id = 2")
        #expect(stored[0].contains("incomplete") && stored[0].contains("cut short") && stored[0].contains("65"))
        let text = try Mill.run(["status", "--pipeline", file])
        #expect(text.output.contains("a person is needed") && text.output.contains("\n! damaged"), "\(text)")

        // Once the archive has come again whole, the damaged one is only a file to remove.
        try FileManager.default.copyItem(
            atPath: Repository.file("data-samples/signed/receipts-001.jsonl.gz").path, toPath: workdir.path("in/b.gz"))
        _ = try Mill.run(["run", file])
        let after = try status("--pipeline", file)
        #expect(!after.needed.contains("damaged_to"), "\(after)")
        #expect(try #require(after.line("damaged_to")).text.contains("1 delivered again since"))
    }

    @Test("A killed run needs a person, and a run at work does not")
    func killed() throws {
        try Samples.copyDatabase(into: workdir)
        try change("UPDATE run SET outcome = 'running', ended_at = NULL")
        let killed = try status("--database", database)
        #expect(killed.status == 65 && killed.needed == ["last_run"], "\(killed)")
        #expect(try #require(killed.line("last_run")).text.hasPrefix("killed"))

        let lock = open(database + "-lock", O_RDWR | O_CREAT, 0o600)
        try #require(flock(lock, LOCK_EX) == 0)
        let working = try status("--database", database)
        #expect(working.status == 0, "\(working)")
        #expect(working["current_run"]["lines"] as? Int == 300)
        #expect(try #require(working.line("run")).text.contains("300 lines so far, 14 rejected"))

        // A run that was killed before it had a row has left its lock alone.
        close(lock)
        try change("UPDATE run SET outcome = 'done', ended_at = started_at")
        let early = try status("--database", database)
        #expect(early.status == 65 && early.needed == ["run"], "\(early)")
    }

    @Test("Archives wait until the next run; those that the last run should have loaded need a person")
    func spool() throws {
        let file = try write("dead_letters: {file: letters.gz}\n")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        try Samples.copyBeginning(to: workdir.path("in/b.gz"))
        func files(_ screen: Screen, _ name: String) -> Int? {
            let entry = (screen.object["archives"] as? [[String: Any]])?.first
            return (entry?[name] as? [String: Any])?["files"] as? Int
        }
        let waiting = try status("--pipeline", file)
        #expect(waiting.status == 0, "\(waiting)")
        #expect(files(waiting, "waiting") == 1 && files(waiting, "loaded") == 1, "\(waiting)")
        // The run is said to have begun an hour later than the archive came.
        try change("UPDATE run SET started_at = started_at + 3600000, ended_at = ended_at + 3600000")
        let missed = try status("--pipeline", file)
        #expect(missed.status == 65 && missed.needed == ["spool"], "\(missed)")
        #expect(try #require(missed.line("spool")).text.contains("b.gz"))
        #expect(try #require(missed.line("spool")).next.contains("run --dry-run"))
    }

    @Test("A folder that is absent is named")
    func absent() throws {
        let file = try write()
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        try FileManager.default.removeItem(atPath: workdir.path("in"))
        let screen = try status("--pipeline", file)
        #expect(screen.status == 65 && screen.needed == ["spool"], "\(screen)")
        #expect(try #require(screen.line("spool")).text.contains("\(workdir.path("in")) can't be read"), "\(screen)")
    }

    @Test("Files where archives are moved that the database does not know lead to --reload-moved")
    func unknownMoved() throws {
        let file = try write(archives: "  - {path: in/*.gz, after: move, move_to: done}\n")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        try Samples.copyBeginning(to: workdir.path("done/b.gz"))
        let screen = try status("--pipeline", file)
        #expect(screen.status == 65 && screen.needed == ["move_to"], "\(screen)")
        #expect(try #require(screen.line("move_to")).next == "receiptmill run --reload-moved \(file)")
    }

    @Test("Files that a run has moved are recognized: an archive delivered twice, and one that grows every night")
    func movedByItself() throws {
        let file = try write(archives: "  - {path: in/*.gz, after: move, move_to: done}\n")
        func night() throws -> Screen {
            #expect(try Mill.run(["run", file]).status == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.path("in")).isEmpty)
            return try status("--pipeline", file)
        }
        try deliver()
        #expect(try night().needed == [])
        for name in ["b.gz", "a.gz", "c.gz"] {
            try deliver(name)
            let screen = try night()
            #expect(screen.status == 0 && screen.line("move_to") == nil, "\(name): \(screen)")
        }
        // Several gzip members in one file are one archive.
        let (part, all) = (workdir.path("part.gz"), try Data(contentsOf: URL(filePath: Samples.archive)))
        try Samples.copyBeginning(to: part)
        var grown = try Data(contentsOf: URL(filePath: part))
        for round in 1...3 {
            try grown.write(to: URL(filePath: workdir.path("in/grows.gz")))
            let screen = try night()
            #expect(screen.status == 0 && screen.line("move_to") == nil, "\(round): \(screen)")
            grown += all
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.path("done")).count == 6)
        #expect(try lines("SELECT count(*) FROM archives") == ["2"])
        // A moved file is not recognized by its name alone, either.
        try (grown + all).write(to: URL(filePath: workdir.path("done/grows.gz")))
        #expect(try status("--pipeline", file).needed == ["move_to"])
    }

    @Test("Nights that leave the refresh to a later night need nobody for a day")
    func withoutModels() throws {
        let file = try write()
        try deliver()
        #expect(try Mill.run(["run", file, "--no-refresh"]).status == 0)
        let first = try status("--pipeline", file)
        #expect(first.status == 0 && first.line("models")?.text == "never refreshed", "\(first)")
        #expect(try Mill.run(["refresh", "--database", database, "--quiet"]).status == 0)
        try Samples.copyBeginning(to: workdir.path("in/b.gz"))
        #expect(try Mill.run(["run", file, "--no-refresh"]).status == 0)
        let small = try status("--pipeline", file)
        #expect(small.status == 0 && small.line("models")?.text.hasSuffix("outdated since") == true, "\(small)")
        #expect(small.line("models")?.next == "receiptmill refresh --database \(database)")
        #expect(try Mill.run(["status", "--pipeline", file]).output.contains("all is well"))
        let hour = 3_600_000
        try change(
            """
            UPDATE run SET started_at = started_at - \(27 * hour) WHERE run_id = 2;
            UPDATE model_state SET refreshed_at = refreshed_at - \(28 * hour)
            """)
        #expect(try status("--database", database).needed == ["models"])
        // Nor is a run without lines one that the models lack.
        try change("UPDATE run SET lines = 0 WHERE run_id = 2")
        #expect(try status("--database", database).needed == [])
    }

    @Test("An arrow is followed by one command that works as it is; all other advice is a sentence")
    func arrows() throws {
        let more = "dead_letters: {file: letters.gz}\nstore_reports: [reports/*.txt]\n"
        let file = try write(more, archives: "  - {path: in/*.gz, after: move, move_to: done, damaged_to: bad}\n")
        var met: Set<String> = []
        func follow(_ place: String = #function) throws {
            for options in [["--pipeline", file], ["--database", database]] {
                let json = try Mill.run(["status"] + options + ["--json"])
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any], "\(json)")
                let commands = (object["lines"] as? [[String: Any]] ?? []).compactMap { $0["next"] as? String }
                let shown = try Mill.run(["status"] + options).output.split(separator: "\n")
                let arrows = shown.compactMap { $0.split(separator: "→ ").dropFirst().first.map(String.init) }
                #expect(arrows == commands, "\(shown)")
                for command in commands where met.insert(command).inserted {
                    let program = try #require(command.split(separator: " ").first)
                    // fuser belongs to another package, and a test has nothing to show it.
                    if program == "fuser" { continue }
                    let words = "PATH=\"$(dirname \"$0\"):$PATH\"; \(command)"
                    let result = try Command("sh", ["-c", words, Mill.binary.path]).run()
                    #expect(![2, 64, 126, 127].contains(result.status), "\(command): \(result)")
                    // The screen may suggest a run, which may still fail.
                    if !command.hasPrefix("receiptmill run") && !command.hasPrefix("receiptmill migrate") {
                        #expect(result.status == 0, "\(command): \(result)")
                    }
                }
            }
        }
        // First without a database; then with what each night leaves.
        try follow()
        try deliver()
        _ = try Mill.run(["run", file])
        try follow()
        try deliver("b.gz")
        let cut = try Data(contentsOf: URL(filePath: workdir.path("in/b.gz"))).prefix(3000)
        try cut.write(to: URL(filePath: workdir.path("in/b.gz")))
        _ = try Mill.run(["run", file])
        try follow()
        try Samples.copyBeginning(to: workdir.path("in/d.gz"))
        try change(
            """
            UPDATE run SET outcome = 'running', ended_at = NULL, started_at = started_at + \(Self.day);
            UPDATE change_count SET changes = changes + 1
            """)
        try follow()
        try change(
            """
            UPDATE run SET outcome = 'alarm', reason = 'too_many_rejected: many', advice = 'ask; then ask again',
                started_at = started_at - \(4 * Self.day), ended_at = started_at - \(4 * Self.day);
            UPDATE run_archive SET rejected = lines, untrusted = lines;
            UPDATE dead_letter SET kept_at = kept_at - \(77 * Self.day)
            """)
        try Samples.copyBeginning(to: workdir.path("done/c.gz"))
        try follow()
        let copy = workdir.path("it's a copy.sqlite")
        #expect(try Mill.run(["backup", copy, "--database", database]).status == 0)
        let note = try String(decoding: workdir.read("mill.sqlite-backup"), as: UTF8.self).split(
            separator: "\n", maxSplits: 1)
        try workdir.write("\(try #require(Int(note[0])) - 10 * Self.day)\n\(note[1])", to: "mill.sqlite-backup")
        try follow()
        try workdir.write("x", to: "mill.sqlite-fault")
        try follow()
        unlink(workdir.path("mill.sqlite-fault"))
        try change("PRAGMA user_version = 6")
        try follow()
        for part in ["refresh", "run --dry-run", "run --reload-moved", "backup", "check"] {
            #expect(met.contains { $0.hasPrefix("receiptmill \(part)") }, "\(part): \(met)")
        }
    }

    @Test("What is old: no success since yesterday, no backup for days, letters that are about to go, outdated models")
    func ages() throws {
        let file = try write("dead_letters: {file: letters.gz}\n")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try status("--pipeline", file).status == 0)
        try change(
            """
            UPDATE run SET started_at = started_at - \(3 * Self.day), ended_at = ended_at - \(3 * Self.day);
            UPDATE dead_letter SET kept_at = kept_at - \(77 * Self.day);
            UPDATE change_count SET changes = changes + 1
            """)
        let old = try status("--pipeline", file)
        #expect(old.needed == ["last_success", "dead_letters", "models", "backup"], "\(old)")
        #expect(try #require(old.line("models")).next == "receiptmill refresh --database \(database)")

        let copy = workdir.path("copy.sqlite")
        #expect(try Mill.run(["backup", copy, "--database", database]).status == 0)
        #expect(try Mill.run(["refresh", "--database", database, "--quiet"]).status == 0)
        let kept = try status("--database", database)
        #expect(kept.needed == ["dead_letters"], "\(kept)")
        #expect(kept["backup"]["path"] as? String == copy && kept["backup"]["in_place"] as? Bool == true)
        #expect(kept["backup"]["lines"] as? Int == 300)
    }

    @Test(
        "A database that can't be read is named, with what to do and a status of its own",
        arguments: ["missing", "gone", "empty", "text", "damaged", "newer", "older", "locked"])
    func unreadable(_ kind: String) throws {
        if kind != "missing", kind != "empty", kind != "text", kind != "gone" {
            try Samples.copyDatabase(into: workdir)
        }
        var queue: DatabaseQueue?
        switch kind {
        case "gone": try workdir.write("00\nlines 300\n", to: "mill.sqlite-identity")
        case "empty": try workdir.write("", to: "mill.sqlite")
        case "text": try workdir.write(String(repeating: "no database\n", count: 1000), to: "mill.sqlite")
        case "damaged":
            try change("PRAGMA journal_mode = DELETE")
            let file = try FileHandle(forUpdating: URL(filePath: database))
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0xa5, count: 2 << 20))
            try file.close()
        case "newer": try change("PRAGMA user_version = 99")
        case "older": try change("PRAGMA user_version = 6")
        case "locked":
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let opened = try DatabaseQueue(path: database, configuration: configuration)
            try opened.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
            }
            queue = opened
        default: break
        }
        let expected: [String: Int32] = [
            "missing": 66, "gone": 66, "empty": 66, "text": 65, "damaged": 65, "newer": 73, "older": 73, "locked": 74,
        ]
        let screen = try status("--database", database)
        #expect(screen.status == expected[kind], "\(screen)")
        #expect(screen.needed.first == "database", "\(screen)")
        let line = try #require(screen.line("database"))
        #expect(line.text.contains(database) && !(line.next + line.advice).isEmpty, "\(line)")
        let text = try Mill.run(["status", "--database", database])
        #expect(text.status == expected[kind] && text.output.contains("! database"), "\(text)")
        try queue?.close()
    }

    @Test("Gauges say for what a person is needed; the metrics of a run have the same facts")
    func gauges() throws {
        let file = try write("metrics: m.prom\n", archives: "  - {path: in/*.gz, damaged_to: bad}\n")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        let metrics = String(decoding: try workdir.read("m.prom"), as: UTF8.self)
        #expect(metrics.contains("\nreceiptmill_status_open_rejections 14.0\n"), "\(metrics)")
        #expect(metrics.contains("\nreceiptmill_status_spool_files 0.0\n"), "\(metrics)")
        #expect(metrics.contains("\nreceiptmill_status_models_outdated 0.0\n"), "\(metrics)")
        try FileManager.default.removeItem(atPath: workdir.path("in"))
        let result = try Mill.run(["status", "--pipeline", file, "--format", "prometheus"])
        #expect(result.status == 65)
        #expect(result.output.contains("\nreceiptmill_status_attention{subject=\"spool\"} 1\n"), "\(result)")
        #expect(result.output.contains("\nreceiptmill_status_attention{subject=\"last_run\"} 0\n"), "\(result)")
        #expect(result.output.contains("\nreceiptmill_status_open_rejections 14.0\n"), "\(result)")
    }

    @Test("A pipeline file and a database are not both given")
    func usage() throws {
        #expect(try Mill.run(["status", "--pipeline", "n.yaml", "--database", "m.sqlite"]).status == 64)
    }
}
