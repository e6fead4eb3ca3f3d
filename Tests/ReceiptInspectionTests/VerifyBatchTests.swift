internal import Foundation
import MillConfiguration
import MillSystem
import ReceiptReports
import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// A batch over the minted sample, against the truth the mint wrote beside it.
@Suite struct VerifyBatchTests {
    private static let samples = Repository.file("data-samples")

    private func run(_ inputs: [String]) throws -> VerifyRun {
        var run = VerifyRun(inputs: inputs)
        run.anchors = try TrustAnchors(arguments: [Self.samples.appending(path: "root.pem").path])
        run.format = .json
        return run
    }

    private var archive: String { Self.samples.appending(path: "receipts-001.jsonl.gz").path }

    private func lines(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func truth(_ name: String) throws -> [[String: Any]] {
        try lines(String(contentsOf: Self.samples.appending(path: name), encoding: .utf8))
    }

    @Test("Every line is answered in order, with the minted verdict", arguments: [1, 2, 5])
    func order(jobs: Int) throws {
        var run = try run([archive])
        run.jobs = jobs
        var text = ""
        let outcome = try run.runBatch { text += $0 }
        let answers = try lines(text)
        let truth = try truth("truth-lines.jsonl")
        #expect(answers.count == truth.count)
        #expect(answers.compactMap { $0["line"] as? Int } == Array(1...truth.count))
        for (answer, truth) in zip(answers, truth) {
            let line = Comment(rawValue: "line \(truth["line"] ?? "")")
            #expect(answer["verdict"] as? String == truth["verdict"] as? String, line)
            #expect(answer["device_check"] as? String == truth["device_check"] as? String, line)
            #expect(
                (answer["rejection"] as? [String: Any])?["reason"] as? String == truth["rejection"] as? String, line)
            if let sha256 = truth["receipt_sha256"] as? String {
                #expect(answer["receipt_sha256"] as? String == sha256)
            }
        }
        #expect(outcome.accepted + outcome.refused == truth.count)
        #expect(outcome.accepted == answers.count { $0["accepted"] as? Bool == true })
    }

    @Test("An empty line between others is answered as an empty line")
    func emptyLine() throws {
        let workdir = try Workdir()
        try Data("{}\n\n{}".utf8).write(to: URL(filePath: workdir.path("lines.jsonl")))
        var text = ""
        _ = try run([workdir.path("lines.jsonl")]).runBatch { text += $0 }
        let details = try lines(text).map { ($0["rejection"] as? [String: Any])?["detail"] as? String }
        #expect(details.count == 3 && details[1] == "the line is empty" && details[0] != details[1], "\(details)")
    }

    @Test("Line by line and in batches the answers are the same")
    func lineByLine() throws {
        let time: Int64 = 1_700_000_000_000
        var run = try run([archive])
        run.expectation.time = time
        var single = ""
        var batch = ""
        _ = try run.run { single += $0 }
        _ = try run.runBatch { batch += $0 }
        let strip = { (object: [String: Any]) in object.filter { $0.key != "source" } as NSDictionary }
        #expect(try lines(single).map(strip) == lines(batch).map(strip))
    }

    /// Of lines that state no time, although the answers are taken slower than the
    /// seconds that are told.
    @Test("All lines of a run are verified at the same time of day")
    func oneTime() throws {
        let store = try LegacyStore(version: 3)
        let line = Data(try store.appReceipt()).base64EncodedString() + "\n"
        var run = try VerifyRun(of: store)
        run.inputs = try ["one", "two"].map { try store.workdir.write(line, to: $0) }
        var text = ""
        let outcome = try run.runBatch { answers in
            text += answers
            Waiting.untilNextSecond()
        }
        #expect(outcome.accepted == 2)
        let times = try lines(text).compactMap { answer in
            (answer["steps"] as? [[String: Any]])?[1]["expiration_judged_at"] as? String
        }
        #expect(times.count == 2 && Set(times).count == 1)
    }

    @Test("Every trusted receipt of the sample is answered as Apple's endpoint did")
    func sample() throws {
        var receipts: [String: [String: Any]] = [:]
        for receipt in try truth("truth-receipts.jsonl") {
            receipts[receipt["receipt_sha256"] as? String ?? ""] = receipt
        }
        var run = try run([archive])
        run.format = .verifyReceipt
        var text = ""
        _ = try run.runBatch { text += $0 }
        var compared = 0
        for (answer, line) in zip(try lines(text), try truth("truth-lines.jsonl")) {
            guard line["verdict"] as? String == "trusted", let truth = receipts[line["receipt_sha256"] as? String ?? ""]
            else {
                let isRejected = line["rejection"] != nil
                #expect(answer["status"] as? Int == (isRejected ? 21002 : 21003))
                #expect(answer.count == 2)
                continue
            }
            let receipt = try #require(answer["receipt"] as? [String: Any])
            #expect(answer["status"] as? Int == 0)
            #expect(receipt["bundle_id"] as? String == truth["bundle_id"] as? String)
            #expect(receipt["adam_id"] as? Int == truth["app_item_id"] as? Int ?? 0)
            #expect(receipt["download_id"] as? Int == truth["download_id"] as? Int)
            let transactions = (receipt["in_app"] as? [[String: Any]] ?? []).compactMap {
                $0["transaction_id"] as? String
            }
            #expect(transactions.sorted() == (truth["transaction_ids"] as? [String] ?? []).sorted())
            compared += 1
        }
        #expect(compared > 200)
    }

    @Test("Where one file is missing the others are verified")
    func missingFile() throws {
        let run = try run(["/nonexistent/receipts.jsonl", archive])
        var text = ""
        let outcome = try run.runBatch { text += $0 }
        #expect(outcome.failures.map(\.exitStatus) == [.missingInput])
        #expect(try lines(text).count == 300)
        #expect(try lines(text).allSatisfy { $0["source"] as? String == archive })
    }
}
