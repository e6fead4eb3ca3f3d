internal import Foundation
internal import TestSupport
internal import Testing

/// A known name with new content, of which nearly all was loaded before.
@Suite struct RepeatedArchiveTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func shell(_ script: String) throws {
        let result = try Command("sh", ["-c", script, Samples.archive], in: workdir.url).run()
        try #require(result.status == 0, "\(result)")
    }

    private func night(_ after: String) throws -> Mill.Result {
        try Mill.run(["run", try write(archives: "  - {path: in/*.gz, \(after)}\n"), "--format", "json"])
    }

    @Test(
        "A repeated archive that lacks a line is reported with both archives and the command that removes one",
        arguments: ["after: keep", "after: delete", "after: move, move_to: done"])
    func lineMissing(after: String) throws {
        try deliver()
        #expect(try night("\(after)").output.contains(#""archives_repeated":0"#))
        try shell("gzip -dc \"$0\" | tail -n +2 | gzip -1 > in/a.gz")
        let again = try night(after)
        #expect(again.status == 0 && again.output.contains(#""archives_repeated":1"#), "\(again)")
        #expect(again.errors.contains("285 of its 285 submissions are also among the 286 of a.gz ("), "\(again)")
        #expect(again.errors.contains(#""level":"warning""#))
        let digests = try lines("SELECT lower(hex(substr(sha256, 1, 8))) FROM archive ORDER BY archive_id")
        for digest in digests { #expect(again.errors.contains(digest), "\(again)") }
        let command = "receiptmill retract \(digests[0]) --database \(workdir.path("mill.sqlite"))"
        #expect(
            again.errors.contains(command.replacing("/", with: "\\/")) || again.errors.contains(command), "\(again)")
    }

    @Test("Status shows how many archives count twice, and the command that removes the first of them")
    func status() throws {
        try deliver()
        _ = try night("after: keep")
        try shell("gzip -dc \"$0\" | tail -n +2 | gzip > in/a.gz")
        _ = try night("after: keep")
        func status() throws -> String { try Mill.run(["status", "--database", workdir.path("mill.sqlite")]).output }
        let digest = try #require(
            try lines("SELECT lower(hex(substr(sha256, 1, 8))) FROM archive WHERE archive_id = 2").first)
        let told = try status()
        #expect(told.contains("1 archive, of which others of their name hold nearly all submissions"), "\(told)")
        #expect(told.contains("receiptmill retract \(digest) --database \(workdir.path("mill.sqlite"))"), "\(told)")
        #expect(try Mill.run(["retract", digest, "--database", workdir.path("mill.sqlite")]).status == 0)
        #expect(try !status().contains("count twice"))
        #expect(try lines("SELECT count(*) FROM submissions") == ["286"])
    }

    @Test(
        "A log that is compressed again each night is loaded once, regardless of compression and appended lines",
        arguments: [
            ["gzip -1", "gzip -9", "gzip -1"], ["cat", "gzip", "cat"], ["gzip", "split -l 50 --filter=gzip", "cat"],
        ], ["after: keep", "after: delete", "after: move, move_to: done"])
    func packedAgain(packing: [String], after: String) throws {
        try #require(mkdir(workdir.path("in"), 0o700) == 0)
        // The last two nights have the same text.
        for (pack, count) in zip(packing, [100, 300, 300]) {
            try shell("gzip -dc \"$0\" | head -n \(count) | \(pack) > in/a.gz")
            let result = try night(after)
            #expect(result.output.contains(#""archives_repeated":0"#), "\(result)")
            #expect(try lines("SELECT lines, complete FROM archives") == ["\(count)|1"])
        }
        #expect(try lines("SELECT count(*) FROM submissions") == ["286"])
        if after.hasPrefix("after: move") { #expect(!exists("in/a.gz")) }
    }

    @Test("Ingest also reports a part of an export after the whole; the whole after a part is loaded once")
    func part() throws {
        let names = ["p/a.gz", "w/a.gz"]
        try shell("mkdir p w; gzip -dc \"$0\" | head -n 100 | gzip > p/a.gz; gzip -dc \"$0\" | gzip -1 > w/a.gz")
        for (database, order) in [("one.sqlite", names), ("other.sqlite", names.reversed())] {
            for (index, name) in order.enumerated() {
                let result = try Mill.run([
                    "ingest", workdir.path(name), "--trust", Samples.root, "--database", workdir.path(database),
                    "--log-format", "text",
                ])
                #expect(result.status == 0, "\(result)")
                let isTold = database == "other.sqlite" && index == 1
                #expect(result.errors.contains("count twice") == isTold, "\(result)")
            }
        }
        #expect(try Stored(workdir.path("one.sqlite")).lines("SELECT count(*) FROM submissions") == ["286"])
    }

    @Test("Nights of one name that state other submissions are not, though they hold the same receipts")
    func otherNight() throws {
        try deliver()
        #expect(try night("after: keep").status == 0)
        // The same receipts a day later.
        try shell(
            "gzip -dc \"$0\" | sed 's/\"submitted_at\":\"20/\"submitted_at\":\"21/; s/\"received_at\":\"20/\"received_at\":\"21/; s/\"timestamp\":/&1/' | gzip > in/a.gz"
        )
        let other = try night("after: keep")
        #expect(
            other.output.contains(#""archives_repeated":0"#) && other.output.contains(#""receipts_new":0"#), "\(other)")
    }
}
