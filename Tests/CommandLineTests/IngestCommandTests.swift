internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// `receiptmill ingest` as a user runs it: what it says, and what it ends with.
@Suite struct IngestCommandTests {
    private let folder: Workdir
    private let sample = Samples.archive

    init() throws { folder = try Workdir() }

    private var database: String { folder.path("mill.sqlite") }
    private var trust: [String] { ["--trust", Samples.root] }

    private func ingest(_ archives: [String], _ options: String..., database: String? = nil) throws -> Mill.Result {
        try Mill.run(["ingest"] + archives + ["--database", database ?? self.database] + trust + options)
    }

    private func summary(_ result: Mill.Result) throws -> [String: Any] {
        #expect(result.output.split(separator: "\n").count == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test("--format json prints one object with the documented keys")
    func jsonSummary() throws {
        let result = try ingest([sample], "--format", "json")
        #expect(result.status == 0)
        let object = try summary(result)
        let keys: Set = [
            "archives", "lines", "submissions", "receipts_new", "receipts_known", "purchases_new", "rejected",
            "rejections_not_kept", "dead_letters", "corrections_applied", "corrections_passed_over",
            "corrections_refused", "corrections_unreadable", "verdicts", "seconds",
        ]
        #expect(keys.isSubset(of: object.keys))
        let rejected = try #require(object["rejected"] as? [String: Int])
        let lines = try #require(object["lines"] as? Int)
        #expect(object["submissions"] as? Int == lines - rejected.values.reduce(0, +))
    }

    @Test("A pattern in quotes names archives, unless a file has that name")
    func pattern() throws {
        for name in ["a1.gz", "a2.gz", "b1.gz"] { try folder.write("\(name)\n", to: name) }
        func archives(_ pattern: String) throws -> [String] {
            let database = folder.path("\(UUID()).sqlite")
            let result = try ingest([folder.path(pattern)], "--quiet", database: database)
            #expect(result.status == 0, "\(result)")
            return try Stored(database).lines("SELECT name FROM archives ORDER BY 1")
        }
        #expect(try archives("a*.gz") == ["a1.gz", "a2.gz"])
        #expect(try archives("[ab]1.gz") == ["a1.gz", "b1.gz"])
        try folder.write("{\n\n", to: "[ab]1.gz")
        #expect(try archives("[ab]1.gz") == ["[ab]1.gz"])
        let none = try ingest([folder.path("c*.gz")])
        #expect(none.status == 66 && none.errors.contains("c*.gz"), "\(none)")
    }

    @Test("A folder that matches a pattern is told, and what lies in it is not loaded")
    func folderAmongArchives() throws {
        try folder.write("a1\n", to: "a1.gz")
        let inner = folder.url.appending(path: "a2.gz")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try folder.write("a3\n", to: "a2.gz/a3.gz")
        for command in ["ingest", "decode"] {
            let result = try Mill.run(
                [command, folder.path("a*.gz")] + (command == "ingest" ? ["--database", database, "--quiet"] : []))
            #expect(result.status == 0 && result.errors.contains("a2.gz: is a folder"), "\(result)")
        }
        #expect(try Stored(database).lines("SELECT name FROM archives") == ["a1.gz"])
        #expect(try !ingest([folder.path("a1*.gz")], "--quiet").errors.contains("folder"))
    }

    @Test("A database that has numbers for no further archive says so, and is as it was")
    func maximumArchive() throws {
        #expect(try ingest([sample], "--quiet").status == 0)
        try DatabaseQueue(path: database).write {
            try $0.execute(
                sql: """
                    INSERT INTO archive (archive_id, name, sha256, bytes, complete, first_loaded_at, completed_at)
                    VALUES (1048574, 'last but one', x'11', 1, 1, 0, 0)
                    """)
        }
        for name in ["a", "b", "c"] { try folder.write("\(name)\n", to: "\(name).gz") }
        let result = try ingest(["a", "b", "c"].map { folder.path("\($0).gz") })
        #expect(result.status == 73 && result.errors.contains("1048575 archives"), "\(result)")
        #expect(
            try Stored(database).lines("SELECT archive_id, name FROM archive WHERE archive_id > 1 ORDER BY 1")
                == ["1048574|last but one", "1048575|a.gz"])
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 0)
    }

    @Test("Of signed data, receipts are new or known that were submitted, and those that they hold")
    func knownReceipts() throws {
        let folder = Samples.folder.appending(path: "signed")
        let truth = { (name: String) in
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
        let parts = try Dictionary(
            truth("truth-signed.jsonl").map {
                (try #require($0["receipt_sha256"] as? String), ($0["parts"] as? [String: Any] ?? [:]).count)
            }, uniquingKeysWith: { first, _ in first })
        let submitted = try truth("truth-lines.jsonl").map {
            let documents = $0["documents"] as? [[String: Any]] ?? [$0]
            return Set(documents.compactMap { $0["receipt_sha256"] as? String })
        }
        let met = submitted.joined().reduce(0) { $0 + 1 + parts[$1, default: 0] }
        let object = try summary(
            Mill.run([
                "ingest", folder.appending(path: "receipts-001.jsonl.gz").path, "--database", database, "--trust",
                folder.appending(path: "root.pem").path, "--format", "json",
            ]))
        #expect(object["receipts_new"] as? Int == parts.count)
        #expect(object["receipts_known"] as? Int == met - parts.count)
    }

    @Test(
        "An option that names no fit file is a fault of configuring",
        arguments: [
            ["--trust", "none.pem"], ["--trust", "sha256:00"], ["--trust", "a.jsonl"], ["--intermediate", "none.pem"],
            ["--trust-without-markers", "apple"], ["--pseudonym-key", "none"], ["--pseudonym-key", "a.jsonl"],
        ])
    func unfitOption(option: [String]) throws {
        try folder.write("{}\n", to: "a.jsonl")
        let result = try Mill.run(
            ["ingest", "a.jsonl", "--database", "none.sqlite", "--format", "json"] + option, in: folder.url)
        let error = try #require(try summary(result)["error"] as? [String: Any])
        #expect(error["stage"] as? String == "configuring", "\(result)")
    }

    @Test("--quiet prints nothing; without it, an archive loaded before is reported")
    func quiet() throws {
        let quiet = try ingest([sample], "--quiet")
        #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
        let again = try ingest([sample], "--format", "json")
        #expect(again.status == 0)
        #expect(again.errors.contains("loaded before"))
        #expect(try summary(again)["lines"] as? Int == 0)
        #expect(try summary(again)["receipts_new"] as? Int == 0)
        #expect(try ingest([sample], "--quiet").errors.isEmpty)
    }

    @Test("Damaged archives end with status 65 and their whole lines are loaded")
    func damagedArchives() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: sample)))
        let cut = try ingest(
            [try folder.write(Array(bytes.dropLast(bytes.count / 3)), to: "cut.gz"), sample], "--format", "json")
        #expect(cut.status == 65)
        #expect(cut.errors.contains("cut.gz") && cut.errors.contains("cut short"))
        #expect(cut.errors.contains("hint: "))
        #expect(try summary(cut)["archives"] as? Int == 2)

        var flipped = bytes
        for place in stride(from: bytes.count / 2, to: bytes.count / 2 + 40, by: 4) { flipped[place] ^= 0x55 }
        let broken = try ingest([try folder.write(flipped, to: "flipped.gz")], database: folder.path("other.sqlite"))
        #expect(broken.status == 65 && broken.errors.contains("flipped.gz"))
    }

    @Test("Missing archives and folders end with status 66 and the others are loaded")
    func missingArchives() throws {
        let result = try ingest([folder.path("none.gz"), folder.url.path, sample], "--format", "json")
        #expect(result.status == 66)
        #expect(result.errors.contains("none.gz: can't be opened"))
        #expect(result.errors.contains("is a directory, not an archive"))
        let lines = try #require(try summary(result)["lines"] as? Int)
        #expect(lines > 0)
    }

    @Test("Empty files are loaded, and bad lines are counted by reason")
    func badLines() throws {
        #expect(try ingest([try folder.write([UInt8](), to: "empty")]).status == 0)
        let lines: [Data] = [
            Data("{\"receipt\":\"Q\u{0}\"}\n".utf8), Data([0x7b, 0xff, 0xfe, 0x7d, 0x0a]),
            Data((String(repeating: "[", count: 10_000) + "\n").utf8),
            Data(("{\"a\":" + String(repeating: "[", count: 10_000) + "\n").utf8), Data("{}\n".utf8), Data("\n".utf8),
            Data("{\"receipt\":\"Q!\"}\n".utf8), Data("QUJD\n".utf8),
            Data(("{\"receipt\":\"" + String(repeating: "A", count: 3_000) + "\"}\n").utf8),
        ]
        let archive = try folder.write([UInt8](lines.joined()), to: "bad.jsonl")
        let result = try ingest([archive], "--format", "json", "--max-line", "2000", database: folder.path("b.sqlite"))
        #expect(result.status == 0)
        // Lines of 10,000 brackets are too long as well.
        #expect(
            try summary(result)["rejected"] as? [String: Int]
                == [
                    "invalid_json": 2, "no_receipt": 2, "invalid_base64": 1, "malformed_container": 1,
                    "line_too_long": 3,
                ])
        let deep = try ingest([archive], "--format", "json", database: folder.path("c.sqlite"))
        #expect((try summary(deep)["rejected"] as? [String: Int])?["invalid_json"] == 4)
    }

    @Test("More rejections than allowed end with status 65")
    func tooManyRejections() throws {
        let archive = try folder.write("{}\n{}\nQUJD\n{}\n", to: "bad.jsonl")
        #expect(try ingest([archive], "--max-rejected", "1").status == 0)
        let result = try ingest([archive], "--max-rejected", "0.5", database: folder.path("b.sqlite"))
        #expect(result.status == 65 && result.errors.contains("--max-rejected 0.5"))
        #expect(try ingest([archive], "--max-rejected", "2").status == 64)
    }

    @Test("A file that is no database is left as it is")
    func noDatabase() throws {
        let text = String(repeating: "no database\n", count: 1_000)
        let none = try folder.write(text, to: "none.sqlite")
        let result = try ingest([sample], database: none)
        #expect([65, 73, 74].contains(result.status) && result.errors.contains("none.sqlite"))
        #expect(try folder.read("none.sqlite") == Array(text.utf8))

        let directory = try ingest([sample], database: folder.url.path)
        #expect(directory.status == 73 && directory.errors.contains("is a directory, not a database"))
        let nowhere = try ingest([sample], database: folder.path("no/such/mill.sqlite"))
        #expect(nowhere.status == 73)
        for result in [result, directory, nowhere] {
            #expect(result.output.isEmpty && !result.errors.contains("Fatal"))
        }
    }

    @Test("Standard input is an archive too")
    func standardInput() throws {
        let result = try Mill.run(
            ["ingest", "-", "--database", database, "--format", "json"] + trust, input: sample)
        let piped = try summary(result)
        #expect(result.status == 0)
        // The same content is known, wherever it came from.
        #expect(try ingest([sample]).errors.contains("loaded before as -"))
        let lines = try #require(piped["lines"] as? Int)
        #expect(lines > 0)
    }
}
