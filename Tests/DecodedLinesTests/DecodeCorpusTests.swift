import Foundation
import MillTestSupport
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

@Suite("Real receipts, decoded with the default trust")
struct DecodeCorpusTests {
    /// Milliseconds to the second, as views and the corpus write times.
    private static func seconds(_ value: Any?) -> String? {
        (value as? Int64).map { Date(timeIntervalSince1970: Double($0 / 1000)).ISO8601Format() }
    }

    private func decoded() throws -> [(name: String, expected: [String: Any], line: [String: Any])] {
        let workdir = try Workdir()
        let names = Corpus.names()
        let lines = try names.map { name in
            var object = ["receipt": try Corpus.text(name)]
            object["device_id"] = try Corpus.expectation(name)["device_id_hex"] as? String
            return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
        }
        let archive = try workdir.write(lines.joined(), to: "corpus.jsonl")
        let answers = try Decode(archives: [archive]).objects()
        #expect(answers.count == names.count)
        return try zip(names, answers).map { ($0, try Corpus.expectation($0), $1) }
    }

    private static let times: Set = [
        "original_purchase_date", "receipt_creation_date", "expiration_date", "purchase_date", "expires_date",
        "cancellation_date",
    ]

    private func expect(_ object: [String: Any], _ wanted: [String: Any], _ name: String) {
        for (key, value) in wanted {
            let place = Comment(rawValue: "\(name), \(key)")
            if Self.times.contains(key) {
                #expect(Self.seconds(object[key + "_ms"]) == value as? String, place)
            } else if let number = value as? Int64 {
                #expect(object[key] as? Int64 == number, place)
            } else {
                #expect(object[key] as? String == value as? String, place)
            }
        }
    }

    @Test("hold what an independent reader found")
    func appReceipts() throws {
        var compared = 0
        for (name, expected, line) in try decoded() where expected["kind"] as? String == "app_receipt" {
            let receipt = try #require(line["receipt"] as? [String: Any], "\(name) was rejected")
            var fields = try #require(expected["receipt"] as? [String: Any])
            let wanted = try #require(fields.removeValue(forKey: "purchases") as? [[String: Any]])
            for key in ["sha256", "verdict", "bytes", "digest_algorithm", "kind"] { fields[key] = expected[key] }
            fields["purchase_count"] = Int64(wanted.count)
            expect(receipt, fields, name)
            if let check = expected["device_check"] as? String {
                #expect((line["submission"] as? [String: Any])?["device_check"] as? String == check)
            }
            let purchases = try #require(line["purchases"] as? [[String: Any]])
            #expect(purchases.count == wanted.count)
            let identifier = { (purchase: [String: Any]) in purchase["transaction_id"] as? String ?? "" }
            for (purchase, wanted) in zip(
                purchases.sorted { identifier($0) < identifier($1) }, wanted.sorted { identifier($0) < identifier($1) })
            {
                expect(purchase, wanted, "\(name), \(identifier(wanted))")
            }
            compared += 1
        }
        #expect(compared > (Corpus.isWhole ? 25 : 10))
    }

    @Test("of iOS 6 and before hold what stands in their purchase-info, and themselves")
    func transactionReceipts() throws {
        var compared = 0
        for (name, expected, line) in try decoded() where expected["kind"] as? String == "transaction_receipt" {
            guard let receipt = line["receipt"] as? [String: Any] else { continue }
            let info = try #require(expected["purchase_info"] as? [String: String])
            let purchase = try #require((line["purchases"] as? [[String: Any]])?.first)
            expect(receipt, ["kind": "transaction_receipt", "sha256": expected["sha256"] ?? ""], name)
            #expect(purchase["transaction_id"] as? String == info["transaction-id"])
            #expect(purchase["product_id"] as? String == info["product-id"])
            #expect((purchase["purchase_date_ms"] as? Int64).map(String.init) == info["purchase-date-ms"])
            // Without their issuer they may have to be verified again.
            if receipt["verdict"] as? String == "broken_chain" {
                #expect(receipt["octets"] as? String == (try Corpus.text(name)))
            }
            compared += 1
        }
        #expect(compared >= (Corpus.isWhole ? 4 : 1))
    }

    @Test("load into what ingest makes of them, row for row")
    func loadsLikeIngest() throws {
        let workdir = try Workdir()
        let lines = try Corpus.names().map { try Corpus.text($0) + "\n" }
        let archive = try workdir.write(lines.joined(), to: "corpus.jsonl")
        _ = try Ingest(archives: [archive], .withoutModels(database: workdir.path("ingest.sqlite"))).run()
        let decoded = try workdir.write(try Decode(archives: [archive]).text(), to: "corpus.decoded")
        let summary = try Load(files: [decoded], .withoutModels(database: workdir.path("load.sqlite"))).run()
        #expect(summary.failures.isEmpty && summary.lines == lines.count)
        let wanted = try Stored(workdir.path("ingest.sqlite")).everything()
        #expect(try Stored(workdir.path("load.sqlite")).everything().difference(from: wanted).isEmpty)
    }
}
