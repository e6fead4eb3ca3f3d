internal import Foundation
import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// A receipt that is well signed and that loading would reject.
@Suite struct RejectedReceiptTests {
    private typealias Object = [String: Any]

    /// Its one purchase has no transaction identifier.
    private func receipt(of store: LegacyStore) throws -> [UInt8] {
        let purchase = PayloadBytes.attribute(
            17, PayloadBytes.payload([PayloadBytes.attribute(1702, PayloadBytes.text("gold"))]))
        let created = PayloadBytes.attribute(12, PayloadBytes.date(Date() + 1))
        return try store.container(PayloadBytes.payload([created, purchase]))
    }

    @Test("No step passes where an attribute stands twice behind a malformed purchase")
    func doubleAttribute() throws {
        let store = try LegacyStore(version: 3)
        let purchase = PayloadBytes.attribute(
            17, PayloadBytes.payload([PayloadBytes.attribute(1702, PayloadBytes.text("gold"))]))
        let bundles = ["com.example.app", "com.example.other"].map { PayloadBytes.attribute(2, PayloadBytes.text($0)) }
        let created = PayloadBytes.attribute(12, PayloadBytes.date(Date() + 1))
        var run = try VerifyRun(of: store)
        run.format = .json
        run.inputs = [
            try store.workdir.write(
                store.container(PayloadBytes.payload([purchase, created] + bundles)), to: "receipt")
        ]
        var text = ""
        #expect(try run.run { text += $0 }.accepted == 0)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
        #expect((json["steps"] as? [Object] ?? []).allSatisfy { $0["passed"] as? Bool != true })
    }

    @Test("A rejected receipt has no verdict in any format")
    func noVerdict() throws {
        let store = try LegacyStore(version: 3)
        var run = try VerifyRun(of: store)
        run.inputs = [try store.workdir.write(receipt(of: store), to: "receipt")]
        func answer(_ format: AnswerFormat) throws -> String {
            run.format = format
            var text = ""
            #expect(try run.run { text += $0 }.accepted == 0)
            return text
        }
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer(.json).utf8)) as? Object)
        #expect(json["verdict"] is NSNull)
        #expect((json["rejection"] as? Object)?["reason"] as? String == "malformed_payload")
        #expect((json["steps"] as? [Object])?.map { $0["passed"] as? Bool } == [true, true, false])

        let text = try answer(.text)
        #expect(text.contains(": REFUSED\n"))
        #expect(text.contains("\n  rejected      malformed_payload: "))
        #expect(!text.contains("verdict") && !text.contains("trusted"))
        #expect(text.contains("1 signature and chain: ok\n") && text.contains("3 purchases: FAILED\n"))

        #expect(try answer(.verifyReceipt).contains("21002"))
    }
}
