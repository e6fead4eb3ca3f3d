internal import Foundation
internal import TestSupport
internal import Testing

/// What a person meets who types a first command, and not all of it right.
@Suite struct FirstQuestionsTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func mill(_ arguments: String...) throws -> Mill.Result { try Mill.run(arguments, in: workdir.url) }

    @Test("The help of one report is its description", arguments: [["revenue", "-h"], ["gross", "--help"]])
    func helpOfReport(words: [String]) throws {
        let described = try mill("report", "revenue", "--describe")
        #expect(described.output.hasPrefix("revenue: "))
        #expect(try Mill.run(["report"] + words).output == described.output)
        #expect(try Mill.run(["help", "report", words[0]]).output == described.output)
    }

    @Test("A misspelt report is reported before a database is looked for")
    func nameFirst() throws {
        let result = try mill("report", "revenu")
        #expect(result.status == 64 && result.errors.contains("did you mean revenue"), "\(result)")
        #expect(!result.errors.contains("database"))
    }

    @Test("A report about one thing has its name in the title, with what steers a terminal escaped")
    func subjectInTitle() throws {
        try Samples.copyDatabase(into: workdir)
        let file = try mill("report", "fraud-case", "u0-\u{1b}[2Jx", "--database", "mill.sqlite")
        #expect(file.output.hasPrefix("The file of one case: u0-\\u{1b}[2Jx\n"), "\(file)")
        #expect(!file.output.contains("\u{1b}"))
        let page = try mill("report", "fraud-case", "u0<b>", "--database", "mill.sqlite", "--format", "html")
        #expect(page.output.contains("<h1>The file of one case: u0&lt;b&gt;</h1>"), "\(page)")
    }

    @Test("A load that found no archive has no table of zeros")
    func noZeros() throws {
        try Samples.copyDatabase(into: workdir)
        let failed = try mill("ingest", "none.jsonl", "--trust", Samples.root, "--database", "mill.sqlite")
        #expect(failed.status == 66 && failed.output.isEmpty && failed.errors.contains("none.jsonl"), "\(failed)")
    }

    @Test("A summary says so where no line names an account or a device", arguments: [true, false])
    func owners(isNamed: Bool) throws {
        let script = #"gzip -dc "$0" | grep -o '"receipt":"MII[^"]*"' | head -n 1"#
        let receipt = try Command("sh", ["-c", script, Samples.archive]).run().output.trimmingCharacters(in: .newlines)
        let name = isNamed ? #""account_id":"ann","# : #""Nutzer":"ann","#
        try workdir.write("{\(name)\(receipt)}\n", to: "a.jsonl")
        let result = try mill("ingest", "a.jsonl", "--trust", Samples.root, "--database", "m.sqlite")
        let told = "no line names an account or a device"
        #expect(result.status == 0 && result.output.contains(told) != isNamed, "\(result)")
    }
}
