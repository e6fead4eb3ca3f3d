internal import Foundation
internal import TestSupport
internal import Testing

/// Files that are no archives, or are read by the wrong keys: nearly all of their lines are rejected.
@Suite struct RejectedArchiveTests: NightFolder {
    let workdir: Workdir

    init() throws {
        workdir = try Workdir()
        try deliver("good.gz")
        // Some thousand lines, and no zeros, of which a packed text has holes.
        var random = SystemRandomNumberGenerator()
        let noise = (0..<300_000).map { _ in UInt8.random(in: 1...255, using: &random) }
        try workdir.write(Array("noise".utf8) + noise, to: "in/noise.gz")
    }

    private func write(_ after: String, _ more: String = "") throws -> String {
        try write(more, archives: "  - {path: in/*.gz, \(after)}\n")
    }

    @Test(
        "Random bytes go where damaged archives lie, once that was told, and what is an archive does not",
        arguments: ["after: keep", "after: delete", "after: move, move_to: done"], [false, true])
    func noise(after: String, keepsLetters: Bool) throws {
        let letters = keepsLetters ? "dead_letters: {file: letters.gz}\n" : ""
        let file = try write("\(after), damaged_to: bad", letters)
        let first = try Mill.run(["run", file])
        let count = try lines("SELECT count(*) FROM rejections WHERE archive = 'noise.gz'")[0]
        #expect(first.status == 65, "\(first)")
        #expect(first.errors.contains("in/noise.gz: is hardly an archive: \(count) of its \(count) lines"), "\(first)")
        #expect(exists("bad/noise.gz") && !exists("in/noise.gz") && !exists("done/noise.gz") && !exists("bad/good.gz"))
        #expect(exists("done/good.gz") == after.contains("move"))
        let second = try Mill.run(["run", file])
        #expect(second.status == 0, "\(second)")
    }

    @Test(
        "Whoever dismisses its lines has it moved or deleted as others are",
        arguments: ["after: delete", "after: move, move_to: done"])
    func dismissed(after: String) throws {
        let file = try write("\(after), damaged_to: bad", "dead_letters: {file: letters.gz}\n")
        #expect(try Mill.run(["run", file]).status == 65)
        let dismissed = try Mill.run([
            "dismiss", "--file", workdir.path("letters.gz"), "--database", workdir.path("mill.sqlite"),
        ])
        #expect(dismissed.status == 0, "\(dismissed)")
        try FileManager.default.moveItem(atPath: workdir.path("bad/noise.gz"), toPath: workdir.path("in/noise.gz"))
        let result = try Mill.run(["run", file])
        #expect(result.status == 0 && !exists("in/noise.gz") && !exists("bad/noise.gz"), "\(result)")
        #expect(exists("done/noise.gz") == after.contains("move"))
    }

    @Test(
        "Read by the right keys, it is moved as others are", arguments: ["after: delete", "after: move, move_to: done"])
    func rightKeys(after: String) throws {
        try FileManager.default.removeItem(atPath: workdir.path("in/noise.gz"))
        let wrong = try Mill.run(["run", try write("\(after), damaged_to: bad", "lines: {ignore_keys: [receipt]}\n")])
        #expect(wrong.status == 65 && exists("bad/good.gz"), "\(wrong)")
        let rejected = try lines("SELECT count(*) FROM rejections")[0]
        try FileManager.default.moveItem(atPath: workdir.path("bad/good.gz"), toPath: workdir.path("in/good.gz"))
        let file = try write("\(after), damaged_to: bad", "dead_letters: {file: letters.gz}\n")
        let plan = try Mill.run(["run", file, "--dry-run"])
        #expect(
            plan.output.contains(
                "good.gz: loaded before, move to \(workdir.path("bad")): \(rejected) of its 300 lines"), "\(plan)")
        let right = try Mill.run(["run", file, "--retry"])
        #expect(try lines("SELECT count(*) FROM submissions") != ["0"], "\(right)")
        #expect(!exists("in/good.gz") || after.contains("delete") && right.errors.contains("good.gz: not deleted"))
        #expect(!exists("bad/good.gz") && exists("done/good.gz") == after.contains("move"), "\(right)")
    }

    @Test("The alarm of rejected lines names the archives that brought them, the one with the most first")
    func named() throws {
        let file = try write("after: keep", "alarms: {rejected_share: 0.01}\n")
        let result = try Mill.run(["run", file])
        let counts = try lines("SELECT count(*) FROM rejections GROUP BY archive ORDER BY archive DESC")
        #expect(
            result.errors.contains(
                "of the lines were rejected, more than rejected_share 0.01 allows: \(workdir.path("in/noise.gz")) "
                    + "(\(counts[0])), \(workdir.path("in/good.gz")) (\(counts[1]))"), "\(result)")
        #expect(result.status == 65)
    }

    @Test("Retracted, it leaves a dead-letter file that the next run accepts", arguments: [false, true])
    func retracted(isCorrected: Bool) throws {
        try FileManager.default.removeItem(atPath: workdir.path("in/noise.gz"))
        try workdir.write("{\"receipt\":\"%%\"}\n{}\n", to: "in/wrong.gz")
        let file = try write("after: move, move_to: done", "dead_letters: {file: letters.gz}\n")
        #expect(try Mill.run(["run", file]).status == 0)
        if isCorrected {
            let script = "gzip -dc letters.gz | sed 's/%%/%&/' | gzip > new.gz && mv new.gz letters.gz"
            #expect(try Command("sh", ["-c", script], in: workdir.url).run().status == 0)
        }
        let retraction = try Mill.run(["retract", "wrong.gz", "--database", workdir.path("mill.sqlite")])
        #expect(retraction.status == 0, "\(retraction)")
        let result = try Mill.run(["run", file])
        if isCorrected {
            // The work of whoever corrected it is not thrown away.
            #expect(result.status == 73 && result.errors.contains("letters.gz:"), "\(result)")
        } else {
            #expect(result.status == 0, "\(result)")
            let left = try Command("sh", ["-c", "gzip -dc letters.gz | grep -c good.gz"], in: workdir.url).run()
            #expect(left.output == "14\n", "\(left)")
            let all = try Command("sh", ["-c", "gzip -dc letters.gz | wc -l"], in: workdir.url).run()
            #expect(all.output == "14\n", "\(all)")
        }
    }
}
