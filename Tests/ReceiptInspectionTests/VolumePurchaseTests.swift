internal import Foundation
import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// A volume purchase's end: compared with when the receipt was submitted, else now.
@Suite struct VolumePurchaseTests {
    @Test("A volume license expires by the time of submission")
    func expires() throws {
        let store = try LegacyStore(version: 3)
        func line(_ expiration: String, _ submitted: String?) throws -> String {
            let receipt = Data(try store.appReceipt(expiring: expiration)).base64EncodedString()
            return #"{"receipt":"\#(receipt)""# + (submitted.map { #","submitted_at":"\#($0)""# } ?? "") + "}\n"
        }
        let lines = [
            try line("2024-02-29T12:00:00Z", "2024-02-29T11:59:59Z"),
            try line("2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"),
            try line("2024-02-29T12:00:00Z", nil), try line("4001-01-01T00:00:00Z", nil),
        ]
        var run = try VerifyRun(of: store)
        run.inputs = [try store.workdir.write(lines.joined(), to: "lines.jsonl")]
        func checks(_ run: VerifyRun) throws -> [String?] {
            var text = ""
            _ = try run.run { text += $0 }
            return try text.split(separator: "\n").map {
                let answer = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                #expect(answer?["verdict"] as? String == "trusted")
                return answer?["app_check"] as? String
            }
        }
        #expect(try checks(run) == ["not_configured", "expired", "expired", "not_configured"])
        run.expectation.time = Self.beforeAll
        #expect(try checks(run) == Array(repeating: "not_configured", count: 4))
    }

    /// 2023-11-14T22:13:20Z, before any of the receipts ends.
    private static let beforeAll: Int64 = 1_700_000_000_000
}
