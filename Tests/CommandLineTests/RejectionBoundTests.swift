internal import Foundation
internal import TestSupport
internal import Testing

/// Lines of which one document is read, and a thousand are none: rejections are bounded, whatever their line.
@Suite struct RejectionBoundTests: NightFolder {
    let workdir: Workdir

    init() throws {
        workdir = try Workdir()
        try #require(mkdir(workdir.path("in"), 0o700) == 0)
    }

    /// Lines with the sample's first receipt and 1,023 texts that are none, each another.
    private func deliverLines(_ count: Int) throws {
        let script = """
            receipt=$(gzip -dc "$0" | head -n 1 | grep -o 'MII[^"]*')
            seq -f '"a.b.%.0f"' 1023 | paste -sd, > bad
            for line in $(seq \(count)); do
                printf '{"line":%d,"receipt":"%s","signedTransactions":[%s]}\\n' $line "$receipt" "$(cat bad)"
            done | gzip > in/a.gz
            """
        let result = try Command("bash", ["-c", script, Samples.archive], in: workdir.url).run()
        try #require(result.status == 0, "\(result)")
    }

    @Test("Documents count against the limit, a few of each line are kept, and the summary tells of all")
    func limit() throws {
        try deliverLines(200)
        let database = workdir.path("mill.sqlite")
        let result = try Mill.run([
            "ingest", workdir.path("in/a.gz"), "--trust", Samples.root, "--database", database, "--max-rejections",
            "50000", "--format", "json",
        ])
        #expect(result.status == 65 && result.errors.contains("is not read on: "), "\(result)")
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result)")
        let processed = try #require(summary["lines"] as? Int)
        // 49 lines have 50,127 documents; reading ends with the batch that holds them, of some 20 lines.
        #expect((49..<100).contains(processed), "\(result)")
        #expect(summary["documents_rejected"] as? Int == 1_023 * processed)
        #expect(summary["lines_read_in_part"] as? Int == processed && summary["submissions"] as? Int == processed)
        #expect(try lines("SELECT count(*), count(DISTINCT line) FROM rejections") == ["\(8 * processed)|\(processed)"])
        #expect(
            try lines(
                "SELECT count(*) FROM rejections WHERE detail LIKE '%; 1015 further documents of the line can''t%'")
                == ["\(processed)"])
    }

    @Test(
        "The alarm of a share sees them, and names the archive",
        arguments: ["after: keep", "after: delete", "after: move, move_to: done"])
    func alarm(after: String) throws {
        try deliverLines(20)
        let file = try write(
            "alarms: {rejected_share: 0.5}\ndead_letters: {file: letters.gz}\n",
            archives: "  - {path: in/*.gz, \(after)}\n")
        let result = try Mill.run(["run", file, "--format", "text"])
        #expect(result.status == 65, "\(result)")
        #expect(
            result.errors.contains(
                "0.9990 of the documents were rejected, more than rejected_share 0.5 allows: "
                    + "\(workdir.path("in/a.gz")) (20460)"), "\(result)")
        #expect(
            result.output.contains(" 0, and 20460 documents of 20 lines read in part\n"),
            "\(result)")
        #expect(try Mill.run(["check", "--database", workdir.path("mill.sqlite")]).status == 0)
    }

    @Test("Corrected, such a line has all its documents, and no rejection")
    func corrected() throws {
        try deliverLines(1)
        let file = try write("dead_letters: {file: letters.gz}\n")
        #expect(try Mill.run(["run", file]).status == 0)
        let script = #"gzip -dc letters.gz | sed 's/\\"signedTransactions\\":\[.*\]}"}/\\"n\\":1}"}/' > in/fix.gz"#
        #expect(try Command("bash", ["-c", script], in: workdir.url).run().status == 0)
        let result = try Mill.run(["run", file, "--format", "json"])
        #expect(result.status == 0 && result.output.contains(#""corrections_applied":1"#), "\(result)")
        #expect(try lines("SELECT count(*) FROM rejections") == ["0"])
        #expect(try lines("SELECT count(*) FROM submissions") == ["1"])
    }
}
