import Foundation
import GRDB
import MillTestSupport
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

@Suite("Real receipts, loaded with the default trust")
struct CorpusTests {
    @Test("are at hand where they are required")
    func corpusIsPresentWhereRequired() {
        let isRequired = ProcessInfo.processInfo.environment["RECEIPTMILL_REQUIRE_CORPUS"] != nil
        #expect(Corpus.isWhole || !isRequired, "RECEIPTMILL_REQUIRE_CORPUS is set, and no corpus is there")
    }

    /// All receipts in one archive, each with the device that its reader knew.
    private struct Loaded {
        let workdir: Workdir
        let names: [String]
        var stored: Stored { Stored(workdir.path("mill.sqlite")) }

        init() throws {
            workdir = try Workdir()
            names = Corpus.names()
            let lines = try names.map { name in
                var object = ["receipt": try Corpus.text(name)]
                object["device_id"] = try Corpus.expectation(name)["device_id_hex"] as? String
                return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
            }
            let archive = try workdir.write(lines.joined(), to: "corpus.jsonl")
            let summary = try Ingest(archives: [archive], .withoutModels(database: workdir.path("mill.sqlite")))
                .run()
            #expect(summary.lines == names.count)
            #expect(summary.failures.isEmpty)
        }
    }

    /// Compares columns of a row with values of an expectation.
    private func expect(_ row: Row, _ expected: [String: Any], _ name: String) {
        for (column, value) in expected {
            let found: DatabaseValue = row[column] ?? "no such column".databaseValue
            let wanted: DatabaseValue =
                switch value {
                case let number as NSNumber: number.int64Value.databaseValue
                case let text as String: text.databaseValue
                default: .null
                }
            #expect(row.hasColumn(column) && found == wanted, "\(name), \(column)")
        }
    }

    @Test("hold what an independent reader found")
    func appReceiptsHoldWhatIsExpected() throws {
        let loaded = try Loaded()
        var compared = 0
        for (index, name) in loaded.names.enumerated() {
            let expectation = try Corpus.expectation(name)
            guard expectation["kind"] as? String == "app_receipt" else { continue }
            compared += 1
            let submissions = try loaded.stored.rows("SELECT * FROM submissions WHERE line = ?", [index + 1])
            let submission = try #require(submissions.first, "\(name) was rejected")
            let sha256: String = submission["receipt_sha256"]
            let receipts = try loaded.stored.rows("SELECT * FROM receipts WHERE receipt_sha256 = ?", [sha256])
            let receipt = try #require(receipts.first)

            var fields = try #require(expectation["receipt"] as? [String: Any])
            let purchases = try #require(fields.removeValue(forKey: "purchases") as? [[String: Any]])
            fields["receipt_sha256"] = expectation["sha256"]
            for key in ["verdict", "bytes", "digest_algorithm", "kind"] { fields[key] = expectation[key] }
            fields["purchase_count"] = purchases.count
            expect(receipt, fields, name)
            let check = expectation["device_check"] as? String
            if let check { expect(submission, ["device_check": check], name) }
            try comparePurchases(purchases, of: name, receipt, in: loaded.stored)
        }
        #expect(compared > 0)
    }

    private func comparePurchases(_ purchases: [[String: Any]], of name: String, _ receipt: Row, in stored: Stored)
        throws
    {
        let sha256: String = receipt["receipt_sha256"]
        let verdict: String = receipt["verdict"]
        let links = try stored.lines(
            "SELECT transaction_id FROM receipt_purchases WHERE receipt_sha256 = ? ORDER BY 1", [sha256])
        #expect(links == Set(purchases.compactMap { $0["transaction_id"] as? String }).sorted(), "\(name)")
        let rows =
            verdict == "trusted"
            ? try stored.rows("SELECT * FROM purchases WHERE receipt_sha256 = ?", [sha256])
            : try stored.rows("SELECT * FROM claimed_purchases WHERE receipt_sha256 = ?", [sha256])
        for row in rows {
            let identifier: String = row["transaction_id"]
            let told = purchases.filter { $0["transaction_id"] as? String == identifier }
            #expect(told.count == 1, "\(name) tells \(identifier) \(told.count) times")
            if let told = told.first { expect(row, told, "\(name), \(identifier)") }
        }
        // Two receipts of one app may tell of one purchase; then the younger has it.
        if rows.count < purchases.count {
            let table = verdict == "trusted" ? "purchases" : "claimed_purchases"
            for purchase in purchases {
                let identifier = try #require(purchase["transaction_id"] as? String)
                let winners = try stored.lines(
                    """
                    SELECT winner.receipt_creation_date >= ? FROM \(table) AS told
                    JOIN receipts AS winner USING (receipt_sha256)
                    WHERE told.transaction_id = ? AND told.bundle_id = ?
                    """, [receipt["receipt_creation_date"] as String?, identifier, receipt["bundle_id"] as String?])
                #expect(winners.contains("1"), "\(name), \(identifier)")
            }
        }
    }

    /// Column of `purchases` by key of `purchase-info`.
    private static let columns = [
        "transaction-id": "transaction_id", "original-transaction-id": "original_transaction_id",
        "product-id": "product_id", "bid": "bundle_id", "purchase-date-ms": "purchase_date",
        "original-purchase-date-ms": "original_purchase_date", "expires-date": "expires_date", "quantity": "quantity",
        "web-order-line-item-id": "web_order_line_item_id",
    ]

    @Test("of iOS 6 and before hold what stands in their purchase-info")
    func transactionReceiptsHoldWhatIsExpected() throws {
        let loaded = try Loaded()
        var compared = 0
        for (index, name) in loaded.names.enumerated() {
            let expectation = try Corpus.expectation(name)
            guard expectation["kind"] as? String == "transaction_receipt" else { continue }
            let info = try #require(expectation["purchase_info"] as? [String: String])
            let sha256 = expectation["sha256"] as? String
            let receipts = try loaded.stored.rows("SELECT * FROM receipts WHERE receipt_sha256 = ?", [sha256])
            guard let receipt = receipts.first else {
                let reasons = try loaded.stored.lines("SELECT reason FROM rejections WHERE line = ?", [index + 1])
                #expect(reasons == ["malformed_container"], "\(name)")
                let keys = try #require(expectation["property_list_keys"] as? [String])
                #expect(!keys.contains("signature"), "\(name) was rejected")
                continue
            }
            compared += 1
            expect(receipt, ["kind": "transaction_receipt", "digest_algorithm": "sha1", "purchase_count": 1], name)
            if let version = info["bvrs"] { expect(receipt, ["app_version": version], name) }
            let claimed = try loaded.stored.rows("SELECT * FROM claimed_purchases WHERE receipt_sha256 = ?", [sha256])
            let row = try #require(claimed.first, "\(name)")
            for (key, column) in Self.columns {
                guard let text = info[key] else { continue }
                switch column {
                case "quantity", "web_order_line_item_id": expect(row, [column: Int(text) ?? -1], name)
                case "purchase_date", "original_purchase_date", "expires_date":
                    let milliseconds = try #require(Double(text))
                    let date = Date(timeIntervalSince1970: (milliseconds / 1000).rounded(.down))
                    expect(row, [column: date.ISO8601Format()], "\(name)")
                default: expect(row, [column: text], name)
                }
            }
        }
        #expect(compared >= (Corpus.isWhole ? 4 : 1))
    }

    @Test("that are malformed are rejected as expected")
    func malformedReceiptsAreRejected() throws {
        let loaded = try Loaded()
        for (index, name) in loaded.names.enumerated() {
            guard let reason = try Corpus.expectation(name)["rejection"] as? String else { continue }
            let found = try loaded.stored.lines("SELECT reason FROM rejections WHERE line = ?", [index + 1])
            #expect(found == [reason], "\(name)")
        }
    }
}
