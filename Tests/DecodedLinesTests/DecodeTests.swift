import Foundation
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import ReceiptVerification
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite("A decoded line")
struct DecodeTests {
    private let minted: MintedArchive
    private let workdir: Workdir

    init() throws {
        minted = try MintedArchive.shared.get()
        workdir = try Workdir()
    }

    private struct LineTruth: Decodable {
        let archive: String
        let line: Int
        let rejection, verdict, deviceCheck, receiptSha256, deviceId, accountId, submittedAt: String?
    }

    @Test("holds what was minted, line by line", arguments: [1, 3])
    func agreesWithTruth(jobs: Int) throws {
        var decode = try minted.decode()
        decode.configuration.jobs = jobs
        decode.configuration.batchSize = 20_000
        let lines = try decode.objects()
        let truth = try minted.lines("truth-lines.jsonl", as: LineTruth.self).sorted {
            ($0.archive, $0.line) < ($1.archive, $1.line)
        }
        #expect(lines.count == truth.count)
        for (line, truth) in zip(lines, truth) {
            let place = Comment(rawValue: "\(truth.archive):\(truth.line)")
            let submission = line["submission"] as? [String: Any]
            let receipt = line["receipt"] as? [String: Any]
            #expect((line["archive"] as? [String: Any])?["name"] as? String == truth.archive, place)
            #expect(line["line"] as? Int == truth.line, place)
            #expect((line["rejection"] as? [String: Any])?["reason"] as? String == truth.rejection, place)
            guard truth.rejection == nil else { continue }
            #expect(receipt?["sha256"] as? String == truth.receiptSha256, place)
            #expect(receipt?["verdict"] as? String == truth.verdict, place)
            #expect(submission?["device_check"] as? String == truth.deviceCheck, place)
            #expect(submission?["device_id"] as? String == truth.deviceId, place)
            #expect(submission?["account_id"] as? String == truth.accountId, place)
            let time = truth.submittedAt.flatMap { try? Date($0, strategy: .iso8601).timeIntervalSince1970 }
            #expect((submission?["submitted_at_ms"] as? Int).map { $0 / 1000 } == time.map { Int($0) }, place)
        }
    }

    @Test("is the same however the input is divided, by any number of workers")
    func dividedInput() throws {
        let text = Array(try minted.plainLines().prefix(Nightly.rounds(day: 300, night: .max)))
        var decode = try minted.decode()
        decode.archives = []
        func answers(_ lines: ArraySlice<String>, jobs: Int, batchSize: Int) throws -> String {
            try workdir.write(lines.joined(separator: "\n") + "\n", to: "part.jsonl")
            decode.archives = [workdir.path("part.jsonl")]
            decode.configuration.jobs = jobs
            decode.configuration.batchSize = batchSize
            // A file by name tells its place, which a part of a stream has not.
            return try decode.text().replacing(/"archive":{[^}]*},"line":\d+,/, with: "").replacing(
                /,"last":true}\n/, with: "}\n")
        }
        let whole = try answers(text[...], jobs: 1, batchSize: 1 << 18)
        for cut in [1, text.count / 3, text.count - 1] {
            let parts =
                try answers(text[..<cut], jobs: 2, batchSize: 700) + answers(text[cut...], jobs: 3, batchSize: 30_000)
            #expect(parts == whole)
        }
    }

    @Test("stands for an empty line, as for every other")
    func emptyLines() throws {
        try workdir.write("\n\n{}\n", to: "empty.jsonl")
        let lines = try Decode(archives: [workdir.path("empty.jsonl")]).objects()
        let details = lines.map { ($0["rejection"] as? [String: String])?["detail"] }
        #expect(
            details == [
                "the line is empty", "the line is empty",
                "no text of the line is a receipt or a signed string with certificates (x5c)",
            ])
        #expect(lines.map { $0["line"] as? Int } == [1, 2, 3])
    }

    @Test("says that its archive ends with it, and only then")
    func lastLines() throws {
        let lines = try minted.decode().objects()
        let ends = lines.filter { $0["last"] as? Bool == true }.map {
            [($0["archive"] as? [String: Any])?["name"] as? String ?? "", "\($0["line"] ?? 0)"]
        }
        #expect(ends == minted.truth.archives.map { [$0.name, "\($0.lines)"] })
    }

    @Test("of a damaged archive goes on, and the damage is reported")
    func damage() throws {
        let whole = try minted.workdir.read(minted.truth.archives[0].name)
        var decode = try minted.decode()
        decode.archives = [
            try workdir.write(Array(whole.prefix(whole.count / 2)), to: "cut.gz"), minted.archives[1], "/absent",
        ]
        var bytes: [UInt8] = []
        let outcome = try decode.run { bytes.append(contentsOf: $0) }
        let lines = try Decode.objects(String(decoding: bytes, as: UTF8.self))
        #expect(outcome.failures.map(\.exitStatus) == [.badData, .missingInput])
        #expect(lines.count == outcome.lines)
        let cut = lines.filter { ($0["archive"] as? [String: Any])?["name"] as? String == "cut.gz" }
        #expect(!cut.isEmpty && cut.allSatisfy { $0["last"] == nil })
        #expect(lines.last?["last"] as? Bool == true)
    }

    @Test("holds a rejected line only where that is wanted")
    func rejectedLines() throws {
        try workdir.write("no line\n\n", to: "a.jsonl")
        var decode = Decode(archives: [workdir.path("a.jsonl")])
        let octets = { (line: [String: Any]) in (line["rejection"] as? [String: String])?["octets"] }
        #expect(try decode.objects().map(octets) == [nil, nil])
        decode.keepsRejectedLines = true
        #expect(try decode.objects().map(octets) == ["bm8gbGluZQ==", ""])
    }

    @Test("names devices and accounts as ingest does under the same key")
    func pseudonyms() throws {
        let pseudonyms = Pseudonyms(key: Array("an eight by four byte key here..".utf8))
        var ingest = try minted.ingest(into: workdir.path("mill.sqlite"), refreshes: false)
        ingest.configuration.pseudonyms = pseudonyms
        _ = try ingest.run()
        let stored = try Stored(workdir.path("mill.sqlite")).lines(
            "SELECT archive, line, device_id, account_id FROM submissions ORDER BY 1, 2")
        var decode = try minted.decode()
        decode.configuration.pseudonyms = pseudonyms
        let decoded = try decode.objects().compactMap { line -> String? in
            guard let submission = line["submission"] as? [String: Any] else { return nil }
            #expect((submission["pseudonym_key"] as? String)?.count == 64)
            let archive = (line["archive"] as? [String: Any])?["name"] ?? "-"
            return
                "\(archive)|\(line["line"] ?? 0)|\(submission["device_id"] ?? "-")|\(submission["account_id"] ?? "-")"
        }
        #expect(decoded == stored)
    }

    @Test("checks the app by what is expected, without a clock")
    func appChecks() throws {
        var decode = try minted.decode()
        decode.configuration.apps = [try #require(AppSetting(parsing: "com.example.lumen:100:ios"))]
        for line in try decode.objects() {
            guard let submission = line["submission"] as? [String: Any], let receipt = line["receipt"] as? [String: Any]
            else { continue }
            let end = receipt["expiration_date_ms"] as? Int
            let time = submission["submitted_at_ms"] as? Int
            let wanted =
                receipt["bundle_id"] as? String != "com.example.lumen"
                ? "unexpected_bundle" : end.flatMap { end in time.map { end <= $0 } } == true ? "expired" : "expected"
            #expect(submission["app_check"] as? String == wanted)
        }
    }
}
