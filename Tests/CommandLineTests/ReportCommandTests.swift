internal import Foundation
internal import Testing

/// `receiptmill report` as a process: streams and exit statuses.
@Suite struct ReportCommandTests {
    @Test("The list names every report under its topic")
    func list() throws {
        let result = try Mill.run(["report", "--list"])
        #expect(result.status == 0)
        #expect(result.output.contains("refunds\n  refunds"))
        let json = try Mill.run(["report", "--list", "--format", "json"])
        let reports = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        #expect(reports?.contains { $0["name"] as? String == "freemium-migration" } == true)
    }

    @Test("The SQL that is shown is a report of one's own")
    func showSQL() throws {
        let result = try Mill.run(["report", "--show-sql", "refunds"])
        #expect(result.output.hasPrefix("-- refunds: "))
        #expect(result.output.hasSuffix(";\n"))
    }

    @Test(
        "Misuse and missing files end with the statuses of sysexits",
        arguments: [
            (["report"], 64), (["report", "refund", "--database", "none.sqlite"], 64),
            (["report", "refunds"], 64), (["report", "refunds", "--list"], 64),
            (["report", "refunds", "--database", "none.sqlite"], 66),
            (["report", "refunds", "--database", "none.sqlite", "--param", "from"], 64),
            (["report", "refunds", "--database", "none.sqlite", "--param", "form=1"], 64),
            (["report", "refunds", "--database", "/dev/null"], 65),
            (["report", "--list", "--sql", "nowhere"], 66),
            (["report", "--list", "--output", "nowhere/list"], 73),
        ] as [([String], Int32)])
    func statuses(arguments: [String], status: Int32) throws {
        let result = try Mill.run(arguments)
        #expect(result.status == status)
        #expect(!result.errors.isEmpty)
        #expect(result.output.isEmpty)
    }

    @Test("An output file is written whole, and nothing is left beside it")
    func output() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "receiptmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "list.txt").path
        let result = try Mill.run(["report", "--list", "--output", file])
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == Mill.run(["report", "--list"]).output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["list.txt"])
    }

    @Test("A reader that leaves early is no failure")
    func brokenPipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let result = try Mill.run(["report", "--list"], output: pipe)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
    }
}
