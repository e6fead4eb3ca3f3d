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
        "A night that was packed again is told, with both archives and the command that takes one out",
        arguments: ["after: keep", "after: delete", "after: move, move_to: done"])
    func packedAgain(after: String) throws {
        try deliver()
        #expect(try night("\(after)").output.contains(#""archives_repeated":0"#))
        try shell("gzip -dc \"$0\" | gzip -1 > in/a.gz")
        let again = try night(after)
        #expect(again.status == 0 && again.output.contains(#""archives_repeated":1"#), "\(again)")
        #expect(again.errors.contains("286 of its 286 submissions are also among the 286 of a.gz ("), "\(again)")
        #expect(again.errors.contains(#""level":"warning""#))
        let digests = try lines("SELECT lower(hex(substr(sha256, 1, 8))) FROM archive ORDER BY archive_id")
        for digest in digests { #expect(again.errors.contains(digest), "\(again)") }
        let command = "receiptmill retract \(digests[0]) --database \(workdir.path("mill.sqlite"))"
        #expect(
            again.errors.contains(command.replacing("/", with: "\\/")) || again.errors.contains(command), "\(again)")
        #expect(try Mill.run(["retract", digests[1], "--database", workdir.path("mill.sqlite")]).status == 0)
        #expect(try lines("SELECT count(*) FROM submissions") == ["286"])
    }

    @Test(
        "A part of an export, and then the whole, or the other way around, is told by ingest, too", arguments: [1, 2])
    func part(order: Int) throws {
        let names = ["p/a.gz", "w/a.gz"]
        try shell("mkdir p w; gzip -dc \"$0\" | head -n 100 | gzip > p/a.gz; gzip -dc \"$0\" | gzip -1 > w/a.gz")
        for name in order == 1 ? names : names.reversed() {
            let result = try Mill.run([
                "ingest", workdir.path(name), "--trust", Samples.root, "--database", workdir.path("mill.sqlite"),
                "--log-format", "text",
            ])
            #expect(result.status == 0, "\(result)")
            #expect(result.errors.contains("count twice") == (name == (order == 1 ? names[1] : names[0])), "\(result)")
        }
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
