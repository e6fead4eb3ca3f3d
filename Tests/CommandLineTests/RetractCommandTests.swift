internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill retract`.
@Suite struct RetractCommandTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        try Samples.copyBeginning(to: workdir.path("night.gz"))
        try workdir.write("{\"receipt\":\"%%\"}\n{}\n", to: "wrong.jsonl")
        let loaded = try Mill.run([
            "ingest", workdir.path("night.gz"), workdir.path("wrong.jsonl"), "--trust", Samples.root, "--database",
            database, "--quiet", "--dead-letters", workdir.path("letters.gz"),
        ])
        try #require(loaded.status == 0, "\(loaded)")
    }

    private func lines(_ sql: String) throws -> [String] { try Stored(database).lines(sql) }

    private func retract(_ arguments: String...) throws -> Mill.Result {
        try Mill.run(["retract", "--database", database] + arguments)
    }

    @Test("A dry run says what would go, and where the archive still lies, and changes nothing")
    func dryRun() throws {
        let before = try Stored(database).content(of: Stored.views, without: Stored.ownColumns)
        let result = try retract("wrong.jsonl", "--dry-run")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.hasPrefix("would retract wrong.jsonl (SHA-256 "), "\(result)")
        #expect(result.output.contains("…): 2 lines\nwith 0 submissions, 2 rejections, 2 kept lines, "), "\(result)")
        #expect(result.output.hasSuffix("/wrong.jsonl\n"), "\(result)")
        #expect(try Stored(database).content(of: Stored.views, without: Stored.ownColumns) == before)
        #expect(try lines("SELECT count(*) FROM retractions") == ["0"])
    }

    @Test(
        "An archive is meant by its name, its path or the beginning of its SHA-256",
        arguments: ["name", "path", "sha256"])
    func meant(how: String) throws {
        let sha256 = try lines("SELECT sha256 FROM archives WHERE name = 'wrong.jsonl'")[0]
        let meant = ["name": "wrong.jsonl", "path": workdir.path("wrong.jsonl"), "sha256": String(sha256.prefix(10))]
        let result = try retract(try #require(meant[how]), "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        #expect(object["rejections"] as? Int == 2 && object["dead_letters"] as? Int == 2, "\(object)")
        let archive = try #require((object["archives"] as? [[String: Any]])?.first)
        #expect(archive["sha256"] as? String == sha256 && archive["lines"] as? Int == 2)
        #expect(try lines("SELECT name FROM archives") == ["night.gz"])
        #expect(
            try lines("SELECT archive, sha256, lines, loaded_lines FROM retractions") == ["wrong.jsonl|\(sha256)|2|0"])
        #expect(try Mill.run(["check", "--database", database]).status == 0)
    }

    @Test("What no archive is, and what several are, changes nothing")
    func notOne() throws {
        #expect(try retract("other.gz").status == 66)
        #expect(try retract().status == 64)
        #expect(try Mill.run(["retract", "a", "--database", workdir.path("none")]).status == 66)
        try FileManager.default.createDirectory(atPath: workdir.path("other"), withIntermediateDirectories: true)
        let second = try workdir.write("{}\n", to: "other/wrong.jsonl")
        try #require(try Mill.run(["ingest", second, "--database", database, "--quiet"]).status == 0)
        let several = try retract("wrong.jsonl")
        #expect(several.status == 64 && several.errors.contains("2 archives have this name"), "\(several)")
        #expect(try retract(second).status == 0)
        #expect(try lines("SELECT lines FROM archives WHERE name = 'wrong.jsonl'") == ["2"])
    }

    @Test("A copy from before is an older one of the same database, and is replaced")
    func backup() throws {
        let copy = workdir.path("copy.sqlite")
        try #require(try Mill.run(["backup", copy, "--database", database]).status == 0)
        try #require(try retract("wrong.jsonl").status == 0)
        let again = try Mill.run(["backup", copy, "--database", database])
        #expect(again.status == 0, "\(again)")
        #expect(try Stored(copy).lines("SELECT count(*) FROM archives") == ["1"])
    }
}
