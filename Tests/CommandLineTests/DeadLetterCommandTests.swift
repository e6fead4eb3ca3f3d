internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Dead letters as an operator meets them: corrected, retried, dismissed.
@Suite struct DeadLetterCommandTests {
    private let workdir: Workdir
    /// Lines of the sample that can be read.
    private let good: [String]
    private var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        good = try Self.lines.get()
    }

    /// The sample's lines that begin as an object with a receipt does.
    private static let lines = Result {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", Samples.archive]
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        return lines.filter { $0.hasPrefix("{\"receipt\":\"MII") && $0.utf8.count < 12_000 }
    }

    private func mill(_ arguments: String...) throws -> Mill.Result { try Mill.run(arguments, in: workdir.url) }

    private func ingest(_ archives: String..., options: [String] = [], into name: String = "mill.sqlite") throws
        -> Mill.Result
    {
        try Mill.run(
            ["ingest"] + archives + ["--trust", Samples.root, "--database", name, "--format", "json"] + options,
            in: workdir.url)
    }

    private func rows(_ sql: String, in name: String = "mill.sqlite") throws -> [String] {
        try DatabaseQueue(path: workdir.path(name)).read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.map { "\($0.1.storage.value ?? "-")" }.joined(separator: "|")
            }
        }
    }

    /// Loads an archive of lines without a receipt, and corrects all its letters.
    private func loadAndCorrect(_ lines: [String]) throws {
        try workdir.write(lines.map { _ in "{}\n" }.joined(), to: "a.jsonl")
        let result = try ingest("a.jsonl", options: ["--dead-letters", "letters.gz", "--max-rejected", "1"])
        try #require(result.status == 0 && result.output.contains("\"dead_letters\":\(lines.count),"), "\(result)")
        let sha256 = try #require(try rows("SELECT sha256 FROM archives").first)
        let letters = try lines.enumerated().map { index, line in
            let letter: [String: Any] = ["rejected": ["archive_sha256": sha256, "line": index + 1], "line": line]
            return String(decoding: try JSONSerialization.data(withJSONObject: letter), as: UTF8.self) + "\n"
        }
        try workdir.write(letters.joined(), to: "corrected.jsonl")
    }

    @Test("Corrections may come on standard input")
    func standardInput() throws {
        try loadAndCorrect([good[0], "{}"])
        let result = try Mill.run(
            ["ingest", "-", "--trust", Samples.root, "--database", database, "--format", "json"],
            input: workdir.path("corrected.jsonl"))
        #expect(result.status == 0 && result.output.contains("\"corrections_applied\":1,"), "\(result)")
        #expect(result.errors.contains("standard input:2: still can't be read"), "\(result)")
        #expect(result.errors.contains("standard input: 1 correction applied, 0 passed over"), "\(result)")
        #expect(try rows("SELECT line FROM rejections") == ["2"])
        try workdir.write([0x1f, 0x8b, 0x08], to: "damaged.gz")
        let damaged = try Mill.run(["ingest", "-", "--database", database], input: workdir.path("damaged.gz"))
        #expect(damaged.status == 65 && damaged.errors.contains(": standard input: "), "\(damaged)")
    }

    @Test("A second run with the same corrections counts those applied before")
    func appliedOnce() throws {
        try loadAndCorrect(Array(good.prefix(2)))
        let first = try Mill.run(
            ["ingest", "corrected.jsonl", "--trust", Samples.root, "--database", "mill.sqlite"], in: workdir.url)
        #expect(first.output.contains("corrections  2 applied, 0 passed over, 0 refused"), "\(first)")
        #expect(first.errors.contains("corrected.jsonl: 2 corrections applied, 0 passed over"), "\(first)")
        let second = try ingest("corrected.jsonl", options: ["--dead-letters", "letters.gz"])
        #expect(second.status == 0 && second.output.contains("\"corrections_passed_over\":2,"), "\(second)")
        #expect(!FileManager.default.fileExists(atPath: workdir.path("letters.gz")))
    }

    @Test("Letters that were not changed and still can't be read are counted")
    func unchanged() throws {
        try loadAndCorrect([good[0], "{}", "{}"])
        let text = try Mill.run(
            ["ingest", "corrected.jsonl", "--trust", Samples.root, "--database", "mill.sqlite"], in: workdir.url)
        #expect(
            text.output.contains("corrections  1 applied, 0 passed over, 0 refused, 2 unchanged and still unreadable"),
            "\(text)")
        let json = try ingest("corrected.jsonl")
        #expect(json.status == 0 && json.output.contains("\"corrections_unreadable\":2,"), "\(json)")
    }

    @Test("Corrections of a killed run are applied once, by the next run")
    func killedRun() throws {
        try loadAndCorrect(good)
        try FileManager.default.copyItem(atPath: database, toPath: workdir.path("whole.sqlite"))
        // Some of the sample's lines can't be read, and letters with them are a fault.
        #expect(try ingest("corrected.jsonl", into: "whole.sqlite").status == 65)
        for milliseconds in [30, 60, 100, 150, 250, 400] as [Int64] {
            let process = Process()
            process.executableURL = Mill.binary
            process.arguments = [
                "ingest", workdir.path("corrected.jsonl"), "--trust", Samples.root, "--database", database, "--quiet",
            ]
            try process.run()
            Waiting.until {
                !process.isRunning || Waiting.cpuTime(of: process.processIdentifier) >= .milliseconds(milliseconds)
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(try mill("check", "--database", "mill.sqlite", "--quiet").status == 0)
        }
        #expect(try ingest("corrected.jsonl", options: ["--wait", "30s"]).status == 65)
        let shown =
            "SELECT archive, line, receipt_sha256, device_id, account_id, verdict FROM submissions ORDER BY 1, 2"
        #expect(try rows(shown) == rows(shown, in: "whole.sqlite") && rows(shown).count > good.count / 2)
        let rejected = "SELECT (SELECT count(*) FROM rejections), (SELECT count(*) FROM dead_letter)"
        #expect(try rows(rejected) == rows(rejected, in: "whole.sqlite"))
    }

    @Test("retry reads kept lines under other member names")
    func retry() throws {
        try workdir.write(
            good.prefix(2).map { $0.replacing("\"receipt\":", with: "\"proof\":") + "\n" }.joined(), to: "a.jsonl")
        // Values under a forbidden key are not read.
        let forbidden = ["--dead-letters", "letters.gz", "--ignore-key", "proof"]
        #expect(try ingest("a.jsonl", options: forbidden).status == 0)
        try FileManager.default.removeItem(atPath: workdir.path("a.jsonl"))
        let result = try mill(
            "retry", "--database", "mill.sqlite", "--trust", Samples.root, "--dead-letters", "letters.gz", "--format",
            "json")
        #expect(result.status == 0 && result.output.contains("\"corrections_applied\":2,"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: workdir.path("letters.gz")))
        #expect(try mill("check", "--database", "mill.sqlite", "--quiet").status == 0)
        let missing = try mill("retry", "--database", "none.sqlite")
        #expect(missing.status == 66 && !FileManager.default.fileExists(atPath: workdir.path("none.sqlite")))
        let unknown = try mill("retry", Samples.archive, "--database", "mill.sqlite")
        #expect(unknown.status == 65 && unknown.errors.contains("is not loaded"), "\(unknown)")
    }

    @Test("retry reads kept lines of logged requests, and a corrected one is loaded in its place")
    func retryOfRequests() throws {
        // Requests with the receipt under a forbidden key; one whose answer was cut, beside a receipt that can be read.
        let requests = try good.prefix(3).map { line in
            let body = String(
                decoding: try JSONEncoder().encode(line.replacing("\"receipt\":", with: "\"proof\":")), as: UTF8.self)
            return "{\"path\":\"/verify\",\"body\":\(body)}\n"
        }
        let cut = #"{"response":"{\"latest_receipt\":\"MII","data":["# + good[3] + "]}\n"
        try workdir.write(requests.joined() + cut, to: "a.jsonl")
        let forbidden = ["--dead-letters", "letters.gz", "--ignore-key", "proof"]
        #expect(try ingest("a.jsonl", options: forbidden).status == 0)
        #expect(
            try rows("SELECT line, coalesce(document, 'alone'), reason FROM rejections ORDER BY 1")
                == ["1|alone|no_receipt", "2|alone|no_receipt", "3|alone|no_receipt", "4|1|invalid_json"])
        #expect(try rows("SELECT submission_id LIKE '%:4.2' FROM submissions") == ["1"])
        let result = try mill(
            "retry", "--database", "mill.sqlite", "--trust", Samples.root, "--format", "json")
        #expect(result.status == 0 && result.output.contains("\"corrections_applied\":3,"), "\(result)")
        #expect(try rows("SELECT line, reason FROM rejections") == ["4|invalid_json"])
        #expect(try rows("SELECT count(*), count(account_id) > 0 FROM submissions") == ["4|1"])
        #expect(try mill("check", "--database", "mill.sqlite", "--quiet").status == 0)
    }

    @Test("retry states why a line can't be read now, where a limit rejected it before")
    func retryStatesReason() throws {
        try workdir.write("{\"receipt\":\"\(String(repeating: "x", count: 200))\n{}\n", to: "a.jsonl")
        #expect(try ingest("a.jsonl", options: ["--max-line", "100"]).status == 0)
        #expect(try rows("SELECT line, reason FROM rejections ORDER BY 1") == ["1|line_too_long", "2|no_receipt"])
        let result = try mill("retry", "a.jsonl", "--database", "mill.sqlite", "--trust", Samples.root)
        #expect(result.output.contains("still rejected  2"), "\(result)")
        #expect(try rows("SELECT line, reason FROM rejections ORDER BY 1") == ["1|invalid_json", "2|no_receipt"])
        #expect(try mill("check", "--database", "mill.sqlite", "--quiet").status == 0)
    }

    @Test("retry leaves a line's reasons where one of its documents is loaded, and those of other stores' lines")
    func retryKeepsReasons() throws {
        let line = try JSONSerialization.jsonObject(with: Data(good[0].utf8)) as? [String: Any]
        let receipt = try #require(line?["receipt"] as? String)
        let google = #"{"INAPP_PURCHASE_DATA":"\#(String(repeating: "x", count: 20_000))"}"#
        try workdir.write("{\"signedTransactions\":[\"\(receipt)\",\"a.b.c\"]}\n\(google)\n", to: "a.jsonl")
        #expect(try ingest("a.jsonl", options: ["--max-line", "\(receipt.utf8.count + 100)"]).status == 0)
        let reasons = try rows("SELECT line, document, reason, dismissed FROM rejections ORDER BY 1")
        #expect(reasons.count == 2 && reasons[1].contains("|line_too_long|0"), "\(reasons)")
        _ = try mill(
            "retry", "a.jsonl", "--database", "mill.sqlite", "--trust", Samples.root, "--ignore-key",
            "signedTransactions")
        #expect(try rows("SELECT line, document, reason, dismissed FROM rejections ORDER BY 1") == reasons)
    }

    @Test("retry says how many rejections stay open, and how many of their lines are not kept")
    func retrySummary() throws {
        try workdir.write("{}\n[]\n", to: "kept.jsonl")
        #expect(try ingest("kept.jsonl", options: ["--dead-letters", "letters.gz"]).status == 0)
        try workdir.write("{}\n[]\n\(good[0])\n1\n", to: "lost.jsonl")
        #expect(try ingest("lost.jsonl").status == 0)
        _ = try mill("dismiss", "lost.jsonl:4", "--database", "mill.sqlite", "--quiet")
        let text = try mill("retry", "--database", "mill.sqlite", "--trust", Samples.root)
        #expect(text.status == 0 && text.output.contains("still rejected  4, 2 of them not kept"), "\(text)")
        let json = try mill("retry", "--database", "mill.sqlite", "--trust", Samples.root, "--format", "json")
        #expect(
            json.output.contains("\"rejections_open\":4,\"rejections_open_not_kept\":2,\"seconds\":"), "\(json)")
        #expect(try !ingest("kept.jsonl").output.contains("rejections_open"))
    }

    @Test("dismiss marks a rejection and --undo removes the mark")
    func dismiss() throws {
        try loadAndCorrect(Array(good.prefix(3)))
        let sha256 = try rows("SELECT sha256 FROM archives")[0]
        let result = try mill("dismiss", "a.jsonl:1", "\(sha256.prefix(12)):2", "--database", "mill.sqlite")
        #expect(result.status == 0 && result.output == "2 rejections dismissed\n", "\(result)")
        #expect(try rows("SELECT line, dismissed FROM rejections ORDER BY 1") == ["1|1", "2|1", "3|0"])
        let rest = try mill("dismiss", "--file", "corrected.jsonl", "--database", "mill.sqlite")
        #expect(rest.output == "1 rejection dismissed\n2 were not open\n", "\(rest)")
        #expect(try rows("SELECT count(*) FROM dead_letter") == ["0"])
        #expect(try mill("dismiss", "--undo", "a.jsonl:1", "--database", "mill.sqlite", "--quiet").output.isEmpty)
        #expect(try rows("SELECT line, dismissed FROM rejections ORDER BY 1") == ["1|0", "2|1", "3|1"])
        #expect(try mill("check", "--database", "mill.sqlite", "--quiet").status == 0)
    }

    @Test(
        "dismiss refuses lines that were not rejected",
        arguments: [
            ("a.jsonl:4", 65, "never rejected"), ("a.jsonl:0", 64, "is no ARCHIVE:LINE"),
            ("a.jsonl", 64, "ARCHIVE:LINE"),
            ("b.jsonl:1", 65, "no archive has this name"), ("--file=a.jsonl", 65, "is no dead-letter file"),
            ("--file=none", 66, "can't be opened"), ("--undo", 64, "name rejections"),
        ])
    func dismissRefuses(argument: String, status: Int32, what: String) throws {
        try loadAndCorrect(Array(good.prefix(3)))
        let result = try mill("dismiss", argument, "--database", "mill.sqlite")
        #expect(result.status == status && result.errors.contains(what), "\(result)")
        #expect(try rows("SELECT count(*) FROM rejections WHERE dismissed") == ["0"])
    }

    @Test("dismiss asks which of two archives of the same name is meant")
    func dismissAmbiguous() throws {
        for folder in ["one", "two"] {
            try #require(mkdir(workdir.path(folder), 0o700) == 0)
            try workdir.write("\(folder)\n", to: "\(folder)/a.gz")
        }
        #expect(try ingest("one/a.gz", "two/a.gz").status == 0)
        let result = try mill("dismiss", "a.gz:1", "--database", "mill.sqlite")
        #expect(result.status == 65 && result.errors.contains("2 archives have this name"), "\(result)")
        #expect(try mill("dismiss", "a.gz:1", "--database", "none.sqlite").status == 66)
    }

    @Test("Options that exclude each other are refused")
    func exclusiveOptions() throws {
        try workdir.write(String(repeating: "k", count: 32), to: "key")
        for command in ["ingest", "retry"] {
            let result = try mill(
                command, Samples.archive, "--database", "mill.sqlite", "--dead-letters", "l.gz", "--pseudonym-key",
                "key")
            #expect(result.status == 64 && result.errors.contains("as they are"), "\(result)")
        }
        let result = try ingest(Samples.archive, options: ["--dead-letters", "l.gz", "--keep-days", "0"])
        #expect(result.status == 64 && result.errors.contains("--keep-days goes from 1"), "\(result)")
    }
}
