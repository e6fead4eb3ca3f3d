internal import Foundation
internal import TestSupport
internal import Testing

/// A rejected line is one of which no document can be read, whoever counts it: the load, its reports and the dashboard.
@Suite struct RejectedLinesTests {
    /// Eight lines. Of 1 and 2 all can be read, of 3 the first of two documents, of 4 and 5 the second. Rejected are 6,
    /// of which two documents can't be read, 7 and 8.
    private static let script = """
        receipt=$(gzip -dc "$0" | head -n 1 | grep -o 'MII[^"]*')
        {
            printf '{"receipt":"%s"}\\n' $receipt $receipt
            printf '{"receipt":"%s","signedTransactions":["a.b.1"]}\\n' $receipt
            printf '{"signedTransactions":["a.b.2","%s"]}\\n' $receipt
            printf '{"signedTransactions":["a.b.3"],"receipt":"%s"}\\n' $receipt
            echo '{"signedTransactions":["a.b.4","a.b.5"]}'
            echo '{"receipt":"MII!"}'
            echo
        } | gzip > a.gz
        """

    @Test("Lines read in part are rejected nowhere, and a line with two unreadable documents is rejected once")
    func oneMeaning() throws {
        let workdir = try Workdir()
        let made = try Command("bash", ["-c", Self.script, Samples.archive], in: workdir.url).run()
        try #require(made.status == 0, "\(made)")
        let database = workdir.path("mill.sqlite")
        let loaded = try Mill.run([
            "ingest", workdir.path("a.gz"), "--trust", Samples.root, "--database", database, "--format", "json",
        ])
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(loaded.output.utf8)) as? [String: Any], "\(loaded)")
        let reasons = ["invalid_base64": 1, "malformed_container": 1, "no_receipt": 1]
        #expect(summary["rejected"] as? [String: Int] == reasons)
        #expect(summary["lines"] as? Int == 8 && summary["lines_read_in_part"] as? Int == 3)

        #expect(try Stored(database).lines("SELECT lines, lines - loaded_lines FROM archives") == ["8|3"])

        let archives = try rows("archive-loads", of: database)
        #expect(archives.count == 1)
        #expect(archives.first?["rejected_lines"] as? Int == 3 && archives.first?["rejected_share"] as? Double == 0.375)
        let byReason = try rows("archive-loads", "--param", "by=reason", of: database)
        let lines = byReason.map { ($0["reason"] as? String ?? "", $0["rejected_lines"] as? Int ?? 0) }
        #expect(Dictionary(lines, uniquingKeysWith: +) == reasons)
        #expect(byReason.compactMap { $0["first_line"] as? Int }.sorted() == [6, 7, 8])

        let standing = try rows("standing", of: database)
        #expect(standing.count == 1)
        #expect(standing.first?["lines"] as? Int == 8 && standing.first?["rejected_share"] as? Double == 0.375)
        let page = workdir.path("page.html")
        #expect(try Mill.run(["report", "--html-dashboard", page, "--database", database]).status == 0)
        #expect(String(decoding: try workdir.read("page.html"), as: UTF8.self).contains("rejected <b>37.5 %</b>"))
    }

    private func rows(_ report: String, _ options: String..., of database: String) throws -> [[String: Any]] {
        let told = try Mill.run(["report", report, "--database", database, "--format", "json"] + options)
        let found = try JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [[String: Any]]
        return try #require(found, "\(told)")
    }
}
