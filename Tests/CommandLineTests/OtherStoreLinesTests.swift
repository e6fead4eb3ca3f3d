internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Lines about purchases of other stores")
struct OtherStoreLinesTests {
    @Test("stand beside lines with two accounts, which are counted, too")
    func twoAccounts() throws {
        let workdir = try Workdir()
        let lines = try Command("gzip", ["-dc", Samples.archive]).run().output.split(separator: "\n")
        let receipts = lines.compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["receipt"] as? String
        }
        let receipt = try #require(receipts.first)
        let line = #"{"receipt":"\#(receipt)","userId":"9","account_id":"7"}"#
        let archive = try workdir.write(line + "\n", to: "two.jsonl")
        let result = try Mill.run([
            "ingest", archive, "--database", workdir.path("mill.sqlite"), "--trust", Samples.root,
        ])
        #expect(
            result.output.contains("two accounts  1 line states two; --account-key names the one that counts"),
            "\(result)")
    }

    @Test("are counted by store, and are no damage")
    func counted() throws {
        let workdir = try Workdir()
        let google = #"{"packageName":"com.example","purchaseToken":"t","user_id":"u1"}"#
        // Under a key for receipts, the text is base64 and no receipt.
        let amazon = #"{"userId":"amzn1.account.AF6","receipt":"q1YqVbJbSjH28YGPKChw9c0o8Sd3"}"#
        let lines = Array(repeating: google, count: 30) + Array(repeating: amazon, count: 10) + [#"{"note":1}"#]
        let archive = try workdir.write(lines.joined(separator: "\n") + "\n", to: "mixed.jsonl")
        let database = workdir.path("mill.sqlite")
        let result = try Mill.run([
            "ingest", archive, "--database", database, "--dead-letters", workdir.path("letters.gz"), "--json",
        ])
        #expect(result.status == 0, "\(result)")
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(summary["of_other_stores"] as? [String: Int] == ["google_play": 30, "amazon_appstore": 10])
        #expect(summary["rejected"] as? [String: Int] == ["no_receipt": 1])
        let stored = Stored(database)
        #expect(
            try stored.lines("SELECT reason, dismissed, count(*) FROM rejections GROUP BY 1, 2 ORDER BY 1") == [
                "amazon_appstore|1|10", "google_play|1|30", "no_receipt|0|1",
            ])
        #expect(try stored.lines("SELECT lines, loaded_lines, other_stores FROM archives") == ["41|0|40"])
        // Nothing of them is kept.
        #expect(try stored.lines("SELECT count(*) FROM dead_letter") == ["1"])
        let status = try Mill.run(["status", "--database", database])
        #expect(
            status.output.contains("mixed.jsonl: 41 lines, 1 rejected, 0 untrusted, 40 of other stores"), "\(status)")
        // Nor do they count against a limit when the archive grows.
        try workdir.write(lines.joined(separator: "\n") + "\n" + google + "\n", to: "mixed.jsonl")
        let grown = try Mill.run(["ingest", archive, "--database", database, "--max-rejections", "5"])
        #expect(grown.status == 0, "\(grown)")
        let report = try Mill.run([
            "report", "archive-loads", "--database", database, "--columns", "lines,rejected_lines,other_stores",
            "--format", "csv",
        ])
        #expect(report.output.hasSuffix("\r\n42,1,41\r\n"), "\(report)")
        // The last line lacks its end, so it may be cut, and is read again: a header, then a line of another store.
        for (before, after, counts) in [
            ("receipt,account", "receipt,account\n\(google)", "2|1|1"), (google, "\(google)\n\(google)\n", "2|2|0"),
        ] {
            let growing = try workdir.write(before, to: "growing\(counts.last ?? " ").csv")
            let path = workdir.path("growing\(counts.last ?? " ").sqlite")
            #expect(try Mill.run(["ingest", growing, "--database", path, "--quiet"]).status == 0)
            try workdir.write(after, to: "growing\(counts.last ?? " ").csv")
            #expect(try Mill.run(["ingest", growing, "--database", path, "--quiet"]).status == 0)
            #expect(try Stored(path).lines("SELECT lines, other_stores, headers FROM archive") == [counts])
        }
        // What decode writes is loaded alike.
        let decoded = try workdir.write(Mill.run(["decode", archive]).output, to: "decoded.jsonl")
        let other = workdir.path("loaded.sqlite")
        #expect(try Mill.run(["load", decoded, "--database", other, "--quiet"]).status == 0)
        let rejections = "SELECT line, reason, detail, dismissed FROM rejections ORDER BY 1"
        #expect(try Stored(other).lines(rejections) == stored.lines(rejections))
    }
}
