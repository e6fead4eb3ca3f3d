import DatabaseCare
import Foundation
import GRDB
import MillConfiguration
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport
import Testing

@testable import DecodedLines
@testable import MillDatabase
@testable import MillJSON
@testable import MillRun
@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification
@testable import ReceiptWarehouse

@Suite("Kept lines")
struct KeptLineTests {
    private let nights: Nights

    init() throws { nights = try Nights() }

    /// Lines that no compression makes smaller by much.
    private func noise(lines: Int, bytes: Int) -> [String] {
        var random = SeededGenerator(seed: 11)
        return (0..<lines).map { _ in
            Data((0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) }).base64EncodedString()
        }
    }

    @Test("are read again under other keys, when the archive is gone")
    func retry() throws {
        try nights.write(
            [nights.good[0], nights.good[2]].map { $0.replacing("\"receipt\":", with: "\"proof\":") } + ["x"],
            to: "a.jsonl")
        let forbidden: (inout Ingest) -> Void = { $0.configuration.keys.ignored = ["proof"] }
        #expect(try nights.load(["a.jsonl"], forbidden).deadLetters == 3)
        try FileManager.default.removeItem(atPath: nights.workdir.path("a.jsonl"))
        let again = try nights.load([], letters: nil) {
            $0.retriesRejectedLines = true
            forbidden(&$0)
        }
        #expect(again.correctionsApplied == 0)
        let summary = try nights.load([]) { $0.retriesRejectedLines = true }
        #expect(summary.correctionsApplied == 2 && summary.deadLetters == 1 && summary.failures.isEmpty)
        #expect(try nights.rejections() == ["a.jsonl|3"] && nights.broken() == [])
    }

    @Test("say which of several documents can't be read, and count as one line each")
    func severalDocuments() throws {
        let objects = nights.good.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
        let receipts = objects.compactMap { ($0 as? [String: Any])?["receipt"] as? String }
        func line(_ documents: String...) -> String {
            "{\"signedTransactions\":[\(documents.map { "\"\($0)\"" }.joined(separator: ","))]}"
        }
        let (bad, worse) = ("a.b.c", "a.b.d")
        let lines = [
            line(receipts[0], bad, receipts[1]), line(bad, receipts[2]), nights.good[3], "{}", line(bad, worse),
        ]
        try nights.write(lines, to: "a.jsonl")
        #expect(try nights.load(["a.jsonl"]).deadLetters == 4)
        func documents() throws -> [Int?] {
            try nights.letters().map { ($0["rejected"] as? [String: Any])?["document"] as? Int }
        }
        #expect(try documents() == [2, 1, nil, 1])

        let retried = try nights.load([]) { $0.retriesRejectedLines = true }
        #expect(retried.correctionsApplied == 0 && retried.openRejections == OpenRejections(count: 4, notKept: 0))
        // The member is read past, and letters of a line are the line's, however many documents it has.
        let corrected = [line(receipts[0], receipts[1]), line(bad, receipts[2], receipts[4])]
        try nights.write(
            zip(try nights.letters(), corrected).map { Nights.corrected($0, $1) }, to: "corrected.jsonl")
        var reported: [String] = []
        let summary = try nights.load(
            ["corrected.jsonl"],
            onEvent: {
                if case .line(let line) = $0, let applied = line.fields["applied"] {
                    reported.append("\(applied) \(line.fields["passed_over"] ?? "")")
                }
            })
        #expect(summary.correctionsApplied == 2 && summary.correctionsRefused == 1 && reported == ["2 0"])
        #expect(try nights.rejections() == ["a.jsonl|2", "a.jsonl|4", "a.jsonl|5", "a.jsonl|5"])
        #expect(try documents() == [1, nil, 1] && nights.broken() == [])
    }

    @Test("are not all rejected lines: others are read again from their archive")
    func retryArchive() throws {
        let lines = ["x", nights.good[0], nights.good[1], "y"]
        try nights.write(lines, to: "a.jsonl")
        try nights.load(["a.jsonl"]) { $0.configuration.limits.lineBytes = 100 }
        #expect(try nights.rejections().count == 4)
        try nights.write(lines + ["z"], to: "b.jsonl")
        let summary = try nights.load([]) {
            $0.retriesRejectedLines = true
            $0.retriedArchives = ["a.jsonl", "b.jsonl", "none"].map(nights.workdir.path)
        }
        #expect(
            summary.correctionsApplied == 2 && summary.failures.map(\.exitStatus) == [.badData, .missingInput],
            "\(summary)")
        #expect(try nights.rejections() == ["a.jsonl|1", "a.jsonl|4"] && nights.broken() == [])
    }

    @Test("take no more room than they may; those beyond are counted")
    func bound() throws {
        try nights.write(noise(lines: 30, bytes: 60_000), to: "a.jsonl")
        let summary = try nights.load(["a.jsonl"]) { $0.configuration.deadLetters?.keepMebibytes = 1 }
        let kept = try #require(summary.deadLetters)
        #expect(kept + summary.rejectionsNotKept == 30 && summary.rejected.values.reduce(0, +) == 30)
        // A mebibyte holds 17 lines of 60,000 random bytes, as base64 needs no more room than they do.
        #expect((15...17).contains(kept))
        try nights.write(noise(lines: 3, bytes: 60_001), to: "b.jsonl")
        let next = try nights.load(["b.jsonl"]) { $0.configuration.deadLetters?.keepMebibytes = 1 }
        #expect(next.deadLetters == kept && next.rejectionsNotKept == 3)
        #expect(try nights.stored("SELECT sum(length(deflated)) < 1048576 FROM dead_letter") == ["1"])
    }

    private func pages(_ what: String) throws -> Int { try #require(Int(try nights.stored("PRAGMA \(what)")[0])) }

    @Test("expire, their rejections stay, and their pages go")
    func expiry() throws {
        try nights.write(noise(lines: 20, bytes: 60_000), to: "a.jsonl")
        #expect(try nights.load(["a.jsonl"]).deadLetters == 20)
        let whole = try pages("page_count")
        try nights.load([]) { $0.configuration.deadLetters?.keepDays = 1 }
        #expect(try nights.letters().count == 20)
        try DatabaseQueue(path: nights.workdir.path("mill.sqlite")).write {
            try $0.execute(sql: "UPDATE dead_letter SET kept_at = kept_at - 86400001")
        }
        let summary = try nights.load([]) { $0.configuration.deadLetters?.keepDays = 1 }
        #expect(summary.deadLetters == 0 && summary.failures.isEmpty, "\(summary.failures)")
        #expect(try nights.letters().isEmpty && nights.rejections().count == 20 && nights.broken() == [])
        #expect(try pages("freelist_count") == 0 && pages("page_count") < whole - 100)
        #expect(try nights.workdir.read("mill.sqlite").count == pages("page_count") * pages("page_size"))
    }

    @Test(
        "leave no dead pages when they are retried, corrected or dismissed", arguments: ["retry", "correct", "dismiss"])
    func deadPages(command: String) throws {
        let padding = noise(lines: 8, bytes: 60_000)
        try nights.write(
            padding.enumerated().map { "{\"pad\":\"\($1)\",\"proof\":\(nights.good[$0 + 1].dropFirst(11))" },
            to: "a.jsonl")
        #expect(try nights.load(["a.jsonl"]) { $0.configuration.keys.ignored = ["proof"] }.deadLetters == 8)
        let whole = try pages("page_count")
        switch command {
        case "retry":
            let summary = try nights.load([]) { $0.retriesRejectedLines = true }
            #expect(summary.correctionsApplied == 8 && summary.failures.isEmpty, "\(summary)")
        case "correct":
            try nights.write(try nights.letters().map { Nights.corrected($0, nights.good[2]) }, to: "corrected.jsonl")
            #expect(try nights.load(["corrected.jsonl"], letters: nil, jobs: 2).correctionsApplied == 8)
        default:
            var dismissal = Dismissal(database: nights.workdir.path("mill.sqlite"))
            dismissal.file = nights.workdir.path("letters.gz")
            #expect(try dismissal.run().changed == 8)
        }
        // Facts that are brought up to date behind it may leave a few.
        #expect(try pages("freelist_count") < 5 && pages("page_count") < whole - 50)
        #expect(try nights.broken() == [])
    }

    @Test("leave few pages free where the file would be written anew for them, and the next rows take these")
    func fewDeadPages() throws {
        try nights.write(noise(lines: 40, bytes: 60_000), to: "a.jsonl")
        #expect(try nights.load(["a.jsonl"]).deadLetters == 40)
        let whole = try pages("page_count")
        var dismissal = Dismissal(database: nights.workdir.path("mill.sqlite"))
        dismissal.lines = ["a.jsonl:7"]
        #expect(try dismissal.run().changed == 1)
        let (free, count) = (try pages("freelist_count"), try pages("page_count"))
        #expect(free > 0 && count >= whole)
        try nights.write(noise(lines: 1, bytes: 55_000), to: "b.jsonl")
        try nights.load(["b.jsonl"])
        #expect(try pages("page_count") <= count + 1 && pages("freelist_count") < free)
    }

    // MARK: Pseudonyms

    private func key(_ ingest: inout Ingest) {
        ingest.configuration.pseudonyms = Pseudonyms(key: Array(repeating: 7, count: 32))
    }

    private func refusal(_ load: () throws -> RunSummary) -> String? {
        let error = #expect(throws: MillError.self) { try load() }
        #expect(error?.exitStatus == .configuration, "\(String(describing: error))")
        return error?.what
    }

    @Test("come into no database with a key, and a database with them gets none")
    func keys() throws {
        let name = "secret-device-17"
        try nights.write(["{\"device_id\":\"\(name)\"}"], to: "a.jsonl")
        #expect(refusal { try nights.load(["a.jsonl"], into: "named.sqlite", key) }?.contains("as they are") == true)
        #expect(!FileManager.default.fileExists(atPath: nights.workdir.path("named.sqlite")))
        try nights.load(["a.jsonl"], into: "named.sqlite", letters: nil, key)
        #expect(refusal { try nights.load(["a.jsonl"], into: "named.sqlite") } != nil)
        // Raw lines and no submission: the first key is refused until they are gone.
        #expect(try nights.load(["a.jsonl"]).deadLetters == 1)
        #expect(refusal { try nights.load([], letters: nil, key) }?.contains("keeps rejected lines") == true)
        var dismissal = Dismissal(database: nights.workdir.path("mill.sqlite"))
        dismissal.file = nights.workdir.path("letters.gz")
        #expect(try dismissal.run().changed == 1)
        try nights.load([], letters: nil, key)
        #expect(try nights.stored("SELECT count(*) FROM pseudonym_key") == ["1"] && nights.broken() == [])
        // Nothing of them is left in the file's free pages.
        #expect(try nights.stored("PRAGMA freelist_count") == ["0"])
    }

    @Test("are kept out by the schema, whoever writes")
    func triggers() throws {
        try nights.loadBad()
        let queue = try DatabaseQueue(path: nights.workdir.path("mill.sqlite"))
        #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO pseudonym_key VALUES (x'00')") }
        }
        try queue.write {
            try $0.execute(sql: "DELETE FROM dead_letter; INSERT INTO pseudonym_key VALUES (x'00')")
        }
        #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO dead_letter VALUES (4294967297, 1, 0, x'00')") }
        }
    }

    @Test("of decoded lines come into no database with a key either")
    func decodedLines() throws {
        try nights.write(["x", nights.good[0]], to: "a.jsonl")
        try nights.write(["y"], to: "b.jsonl")
        func decoded(_ archive: String, key: Bool) throws -> String {
            var decode = Decode(archives: [nights.workdir.path(archive)])
            decode.keepsRejectedLines = !key
            decode.configuration.pseudonyms = key ? Pseudonyms(key: Array(repeating: 7, count: 32)) : nil
            return try nights.workdir.write(try decode.text(), to: "\(archive).\(key)")
        }
        func load(_ files: [String], into name: String) throws -> RunSummary {
            var load = try nights.minted.load(files, into: nights.workdir.path(name))
            load.configuration.deadLetters = DeadLetterSettings(file: nights.workdir.path("letters.gz"))
            return try load.run()
        }
        // Rejections alone, into a database with a key.
        try nights.load(["a.jsonl"], into: "named.sqlite", letters: nil, key)
        let rejections = try decoded("b.jsonl", key: false)
        #expect(refusal { try load([rejections], into: "named.sqlite") } != nil)
        #expect(try nights.stored("SELECT count(*) FROM dead_letter", in: "named.sqlite") == ["0"])
        // Kept lines first, then lines that a key names.
        let named = try decoded("a.jsonl", key: true)
        #expect(refusal { try load([rejections, named], into: "mill.sqlite") } != nil)
        #expect(try load([rejections], into: "other.sqlite").deadLetters == 1)
        #expect(refusal { try load([named], into: "other.sqlite") } != nil)
        #expect(try nights.broken("other.sqlite") == [] && nights.letters().count == 1)
    }
}
