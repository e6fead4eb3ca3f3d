internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Nights behind a backup that was restored: what came after it is missed, and told.
@Suite struct RestoredBackupTests: NightFolder {
    let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }
    private var copy: String { workdir.path("copy.sqlite") }

    init() throws { workdir = try Workdir() }

    private func write(_ more: String = "", after: String = "move, move_to: done") throws -> String {
        try write(more, archives: "  - {path: in/*.gz, after: \(after)}\n")
    }

    private func restore() throws {
        for ending in ["", "-wal", "-shm"] { unlink(database + ending) }
        try FileManager.default.copyItem(atPath: copy, toPath: database)
    }

    /// A night, a backup, a night whose archive the backup lacks, and the backup in the database's place.
    private func loseANight(_ file: String) throws {
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try Mill.run(["backup", copy, "--database", database]).status == 0)
        // With its own lines, and three that are rejected.
        let script = #"gzip -dc "$0" | head -n 30 | sed 's/submitted_at":"2/submitted_at":"1/' | gzip -n > in/b.gz"#
        #expect(try Command("sh", ["-c", script, Samples.archive], in: workdir.url).run().status == 0)
        let night = try Mill.run(["run", file])
        #expect(night.status == 0, "\(night)")
        try restore()
    }

    private func submissions() throws -> [String] {
        try lines("SELECT name, lines FROM archives WHERE complete ORDER BY name")
    }

    @Test("The lost night's archive is told once, as a fault, with the command that loads it")
    func told() throws {
        let file = try write()
        try loseANight(file)
        let plan = try Mill.run(["run", file, "--dry-run"])
        let night = try Mill.run(["run", file])
        for result in [plan, night] {
            #expect(result.status == 65, "\(result)")
            let records = try records(result.errors)
            let told = try #require(records.first { $0["path"] == workdir.path("done") }, "\(result)")
            #expect(told["message"]?.contains("b.gz") == true && told["message"]?.contains("a.gz") == false, "\(told)")
            #expect(told["hint"]?.hasPrefix("receiptmill run --reload-moved \(file)") == true, "\(told)")
        }
        let next = try Mill.run(["run", file])
        #expect(next.status == 0 && next.errors.isEmpty, "\(next)")
        #expect(try submissions().count == 1)

        let reload = try Mill.run(["run", file, "--reload-moved"])
        #expect(reload.status == 0, "\(reload)")
        #expect(try submissions().map { $0.prefix(1) } == ["a", "b"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.path("done")).sorted() == ["a.gz", "b.gz"])
        let after = try Mill.run(["run", file])
        #expect(after.status == 0 && after.errors.isEmpty, "\(after)")
        // Each restored database is told anew.
        try restore()
        #expect(try Mill.run(["run", file]).status == 65)
    }

    @Test("The lost night is loaded at once where the first run is told to")
    func reloadedAtOnce() throws {
        let file = try write()
        try loseANight(file)
        let plan = try Mill.run(["run", file, "--dry-run", "--reload-moved"])
        #expect(plan.status == 0 && plan.output.contains("done/b.gz: load"), "\(plan)")
        let reload = try Mill.run(["run", file, "--reload-moved"])
        #expect(reload.status == 0, "\(reload)")
        #expect(try submissions().count == 2)
        #expect(try Mill.run(["run", file]).status == 0)
    }

    @Test(
        "Where archives are deleted or stay, the lines that are missing are told once", arguments: ["delete", "keep"])
    func toldByLines(after: String) throws {
        let file = try write("dead_letters: {file: letters.gz}\n", after: after)
        try loseANight(file)
        unlink(workdir.path("letters.gz"))
        let plan = try Mill.run(["run", file, "--dry-run"])
        let night = try Mill.run(["run", file])
        for result in [plan, night] {
            #expect(result.status == 65 && result.errors.contains("was restored from an older copy"), "\(result)")
        }
        #expect(try submissions().count == (after == "keep" ? 2 : 1))
        let next = try Mill.run(["run", file])
        #expect(next.status == 0 && next.errors.isEmpty, "\(next)")
    }

    @Test("Dead letters of the lost night are said to be of an archive that is not known, and not to be corrected")
    func letters() throws {
        let file = try write("dead_letters: {file: letters.gz}\n")
        try loseANight(file)
        let night = try Mill.run(["run", file])
        #expect(night.status == 65, "\(night)")
        let told = try #require(
            try records(night.errors).first { $0["path"] == workdir.path("letters.gz") }, "\(night)")
        #expect(told["message"]?.contains("of an archive that the database does not know") == true, "\(told)")
        #expect(told["message"]?.contains("corrected") == false && told["hint"]?.contains("--reload-moved") == true)
        let reload = try Mill.run(["run", file, "--reload-moved"])
        #expect(reload.status == 0, "\(reload)")
        #expect(try lines("SELECT count(*) FROM dead_letter") == lines("SELECT count(*) FROM rejections"))
    }

    @Test("Corrections of the lost night are told and loaded again, too")
    func corrections() throws {
        let file = try write("dead_letters: {file: letters.gz}\nlines: {receipt: [receipt]}\n")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try Mill.run(["backup", copy, "--database", database]).status == 0)
        // A line that can be read, in the place of one that can't.
        let script = #"""
            good=$(gzip -dc "$0" | head -n 1)
            gzip -dc letters.gz | head -n 1 | jq -c --arg line "$good" '.line = $line' | gzip -n > in/fix.gz
            """#
        #expect(try Command("sh", ["-c", script, Samples.archive], in: workdir.url).run().status == 0)
        let fixed = try Mill.run(["run", file])
        #expect(fixed.status == 0 && exists("done/fix.gz"), "\(fixed)")
        let open = "SELECT count(*) FROM rejections"
        let rejected = try lines(open)
        #expect(try Mill.run(["run", file]).errors.isEmpty)
        try restore()
        unlink(workdir.path("letters.gz"))
        #expect(try lines(open) != rejected)
        let night = try Mill.run(["run", file])
        #expect(night.status == 65 && night.errors.contains("fix.gz"), "\(night)")
        #expect(try Mill.run(["run", file, "--reload-moved"]).status == 0)
        #expect(try lines(open) == rejected)
    }

    @Test("An archive that was retracted is not missed")
    func retracted() throws {
        let file = try write("keep_receipts: true\n")
        try deliver()
        try Samples.copyBeginning(to: workdir.path("in/b.gz"))
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try Mill.run(["retract", "b.gz", "--database", database]).status == 0)
        let night = try Mill.run(["run", file])
        #expect(night.status == 0 && night.errors.isEmpty, "\(night)")
    }
}
