internal import Foundation
internal import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptInspection

@Suite("verify of several documents")
struct SeveralDocumentsTests {
    private let store: SignedStringStore
    private let stranger: SignedStringStore

    init() throws { (store, stranger) = (try SignedStringStore(), try SignedStringStore()) }

    private static let renewal =
        #"{"originalTransactionId":"7","autoRenewStatus":1,"productId":"p","signedDate":\#(SignedStringStore.signedAt)}"#

    private func notification(_ inner: SignedStringStore, by outer: SignedStringStore? = nil) throws -> String {
        try (outer ?? store).sign(
            store.notification([
                "signedTransactionInfo": try inner.sign(), "signedRenewalInfo": try store.sign(Self.renewal),
            ]))
    }

    private func verdicts(_ found: Object) -> [String] {
        [found["verdict"] as? String ?? ""]
            + (found.objects("steps").last ?? [:]).objects("holds").map {
                "\($0["part"] ?? ""): \($0["verdict"] as? String ?? "") \($0["accepted"] ?? "")"
            }
    }

    @Test("verifies what a notification holds by itself, and accepts it only if all is")
    func held() throws {
        let run = try store.run { $0.expectation.bundleID = "com.example.app" }
        var found = try run.answer(to: try notification(store))
        #expect(verdicts(found) == ["trusted", "transaction: trusted 1", "renewal: trusted 1"])
        #expect(found["accepted"] as? Bool == true)
        found = try run.answer(to: try notification(stranger))
        #expect(verdicts(found) == ["trusted", "transaction: untrusted_root 0", "renewal: trusted 1"])
        #expect(found["accepted"] as? Bool == false)
        let reasons = found.objects("steps").last?["reasons"] as? [String] ?? []
        #expect(reasons.count == 1 && reasons[0].hasPrefix("transaction: untrusted_root: "))
        found = try run.answer(to: try notification(store, by: stranger))
        #expect(verdicts(found) == ["untrusted_root", "transaction: trusted 1", "renewal: trusted 1"])
        #expect(found["accepted"] as? Bool == false)
    }

    @Test("refuses a notification whose transaction can't be read, or is another app's")
    func unreadableHeld() throws {
        let run = try store.run { $0.expectation.bundleID = "com.example.app" }
        for (inner, part) in [
            ("e30.e30", "transaction: "), (try store.sign("{}"), "transaction: "),
            (
                try store.sign(SignedStringStore.transaction().replacing("com.example.app", with: "com.example.other")),
                "transaction: trusted"
            ),
        ] {
            let found = try run.answer(to: try store.sign(store.notification(["signedTransactionInfo": inner])))
            #expect(verdicts(found) == ["trusted", "\(part) 0"])
            #expect(found["accepted"] as? Bool == false)
        }
    }

    @Test("answers a line with several documents once, and accepts it only if all are")
    func severalInLine() throws {
        let strings = [try store.sign(), try stranger.sign(SignedStringStore.transaction("2"))]
        let line = "{\"signedTransactions\":[\"\(strings[0])\",\"\(strings[1])\",\"x.y\"],\"account\":\"a\"}"
        let run = try store.run()
        let lines = [
            line, strings[0], "{}", line.replacing(strings[1], with: strings[0]).replacing(",\"x.y\"", with: ""),
        ]
        let file = lines.joined(separator: "\n") + "\n"
        let (text, outcome) = try run.answers(to: file, isBatch: true)
        let answers = try text.split(separator: "\n").map { try object(String($0)) }
        #expect(answers.compactMap { $0["line"] as? Int } == [1, 2, 3, 4])
        #expect(answers.compactMap { $0["accepted"] as? Bool } == [false, true, false, true])
        #expect(outcome.accepted == 2 && outcome.refused == 2)
        let documents = answers[0].objects("documents")
        #expect(documents.map { $0["verdict"] as? String ?? "-" } == ["trusted", "untrusted_root", "-"])
        #expect(documents[2].object("rejection")["reason"] as? String == "malformed_container")
        #expect(answers[0]["verdict"] == nil)
        // The same document twice is one.
        #expect(answers[3]["verdict"] as? String == "trusted" && answers[3]["documents"] == nil)
        // Line by line the answers are the same.
        let single = try run.answers(to: file).text.split(separator: "\n").map { try object(String($0)) }
        #expect(
            single.map { $0.objects("documents").map { $0["verdict"] as? String ?? "-" } }
                == answers.map { $0.objects("documents").map { $0["verdict"] as? String ?? "-" } })
        let shown = try store.run { $0.format = .text }.answers(to: line).text
        let titles = shown.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(
            titles == [
                "file:1, document 1 of 3: accepted", "file:1, document 2 of 3: REFUSED",
                "file:1, document 3 of 3: REFUSED",
            ])
    }

    @Test("reads a logged answer over several lines, and names what can't be read in it")
    func loggedAnswer() throws {
        let text = #""{\"signedPayload\":\"\#(try store.sign())\"}""#
        let answer = """
            [
              {
                "body": \(text),
                "token": "gibberish.AO-J1O"
              },
              { "requestBody": "{\\"signedPayload\\":\\"eyJhbGciOi" }
            ]
            """
        let (shown, outcome) = try store.run().answers(to: answer)
        let documents = try object(shown).objects("documents")
        #expect(documents.map { $0["verdict"] as? String ?? "-" } == ["trusted", "-"])
        let rejection = documents.last?.object("rejection") ?? [:]
        #expect(rejection["reason"] as? String == "invalid_json")
        #expect(
            rejection["detail"] as? String
                == "JSON in a text of the line: a string is not closed (character 19 of the text)")
        #expect(outcome.refused == 1)
    }

    @Test("answers as Apple's endpoint about the first receipt of a line")
    func endpoint() throws {
        let legacy = try LegacyStore(version: 3)
        var run = try VerifyRun(of: legacy)
        run.format = .verifyReceipt
        let receipt = Data(try legacy.appReceipt()).base64EncodedString()
        let line = "{\"signedTransactionInfo\":\"\(try store.sign())\",\"receipt\":\"\(receipt)\"}"
        let (text, outcome) = try run.answers(to: line)
        #expect(try object(text)["status"] as? Int == 0)
        #expect(outcome.accepted == 1)
    }
}
