import Foundation
import MillTestSupport
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

@Suite("Purchases that several receipts contain")
struct MergeRuleTests {
    private let store: LegacyStore
    private let workdir: Workdir

    init() throws {
        store = try LegacyStore(version: 3)
        workdir = try Workdir()
    }

    /// Loads lines of receipts in one archive for each array.
    private func load(_ archives: [[[UInt8]]], into name: String) throws -> Stored {
        var ingest = Ingest(archives: [], .withoutModels(database: workdir.path(name)))
        ingest.configuration.anchors = TrustAnchors()
        _ = try ingest.configuration.anchors.insertCertificates(of: store.root)
        ingest.archives = try archives.enumerated().map { number, receipts in
            try workdir.write(
                receipts.map { Data($0).base64EncodedString() + "\n" }.joined(), to: "\(name)-\(number).jsonl")
        }
        let summary = try ingest.run()
        #expect(summary.failures.isEmpty)
        return Stored(workdir.path(name))
    }

    /// An app receipt created some seconds from now.
    private func receipt(after seconds: Double, _ purchases: [[UInt8]], bundle: String = "com.example.app") throws
        -> [UInt8]
    {
        try store.container(
            PayloadBytes.payload(
                [
                    PayloadBytes.attribute(0, PayloadBytes.text("Production")),
                    PayloadBytes.attribute(2, PayloadBytes.text(bundle)),
                    PayloadBytes.attribute(12, PayloadBytes.date(Date() + 60 + seconds)),
                ] + purchases))
    }

    @Test("are as the receipt created last says, in any order of lines and archives")
    func lastCreatedWins() throws {
        let first = try receipt(after: 0, [PayloadBytes.purchase("9", product: "old")])
        let second = try receipt(after: 10, [PayloadBytes.purchase("9", product: "newer", quantity: 2)])
        let third = try receipt(after: 20, [PayloadBytes.purchase("9", product: "newest", quantity: 3)])
        let orders = [
            [[first, second, third]], [[third, second, first]], [[second], [third], [first]],
            [[third], [first, second]],
        ]
        for (number, order) in orders.enumerated() {
            let stored = try load(order, into: "order\(number).sqlite")
            #expect(try stored.lines("SELECT transaction_id, product_id, quantity FROM purchases") == ["9|newest|3"])
            #expect(try stored.lines("SELECT count(*) FROM receipt_purchases") == ["3"])
            #expect(
                try stored.lines(
                    "SELECT purchases.receipt_sha256 = (SELECT receipt_sha256 FROM receipts "
                        + "ORDER BY receipt_creation_date DESC LIMIT 1) FROM purchases") == ["1"])
        }
    }

    @Test("are as the one with the greater SHA-256 says where both were created at once")
    func greaterDigestWinsTies() throws {
        let moment = Date() + 60
        let receipts = try ["red", "green", "blue"].map { product in
            try store.container(
                PayloadBytes.payload([
                    PayloadBytes.attribute(0, PayloadBytes.text("Production")),
                    PayloadBytes.attribute(2, PayloadBytes.text("com.example.app")),
                    PayloadBytes.attribute(12, PayloadBytes.date(moment)),
                    PayloadBytes.purchase("9", product: product),
                ]))
        }
        let digests = try receipts.enumerated().map { number, bytes in
            try workdir.write(bytes, to: "receipt\(number)")
            let text = try workdir.openssl("dgst", "-sha256", "-r", "receipt\(number)")
            return String(try #require(text).prefix(64))
        }
        let greatest = try #require(digests.max())
        let product = ["red", "green", "blue"][try #require(digests.firstIndex(of: greatest))]
        for (number, order) in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]].enumerated() {
            let stored = try load([order.map { receipts[$0] }], into: "tie\(number).sqlite")
            #expect(
                try stored.lines("SELECT product_id, receipt_sha256 FROM purchases") == ["\(product)|\(greatest)"])
        }
    }

    @Test("of one number in two apps are two")
    func appsAreApart() throws {
        let receipts = [
            try receipt(after: 0, [PayloadBytes.purchase("9", product: "one")]),
            try receipt(after: 5, [PayloadBytes.purchase("9", product: "two")], bundle: "com.example.other"),
        ]
        let stored = try load([receipts], into: "apps.sqlite")
        #expect(
            try stored.lines("SELECT bundle_id, product_id FROM purchases ORDER BY 1")
                == ["com.example.app|one", "com.example.other|two"])
    }

    @Test("are stored once where one receipt holds them twice, as it holds them first; it counts what it holds")
    func firstWordOfAReceiptCounts() throws {
        let (gold, silver) = (
            PayloadBytes.purchase("1", product: "gold"), PayloadBytes.purchase("1", product: "silver")
        )
        for (number, order) in [[gold, silver], [silver, gold]].enumerated() {
            let stored = try load([[try receipt(after: 0, order)]], into: "twice\(number).sqlite")
            #expect(try stored.lines("SELECT product_id FROM purchases") == [number == 0 ? "gold" : "silver"])
            #expect(try stored.lines("SELECT transaction_id FROM receipt_purchases") == ["1"])
            #expect(try stored.lines("SELECT verdict, purchase_count FROM receipts") == ["trusted|2"])
        }
    }

    @Test("keep identifiers as they are written")
    func identifiersStayAsWritten() throws {
        let identifiers = [
            "0", "7", "007", "-1", "+7", "7 ", "9223372036854775807", "9223372036854775808", "18446744073709551617",
            "00000000000000000007", "com.example.1", "7.0", "1e3",
        ]
        let stored = try load(
            [[try receipt(after: 0, identifiers.map { PayloadBytes.purchase($0, product: $0) })]], into: "ids.sqlite")
        #expect(
            try stored.lines("SELECT transaction_id FROM purchases ORDER BY 1") == identifiers.sorted())
        #expect(try stored.lines("SELECT count(*) FROM purchases WHERE transaction_id <> product_id") == ["0"])
        #expect(
            try stored.lines("SELECT transaction_id FROM receipt_purchases ORDER BY 1") == identifiers.sorted())
    }

    @Test("are not there where a purchase is malformed, however often the receipt is submitted")
    func malformedReceiptSubmittedTwice() throws {
        // The quantity's INTEGER runs past the end of its attribute.
        let broken = try receipt(
            after: 0,
            [
                PayloadBytes.purchase("1", product: "gold"),
                PayloadBytes.attribute(17, PayloadBytes.payload([PayloadBytes.attribute(1701, [0x02, 0x09, 1])])),
            ])
        let sound = try receipt(after: 1, [PayloadBytes.purchase("2", product: "gold")])
        let stored = try load([[broken, broken, sound, broken, sound], [broken, sound]], into: "broken.sqlite")
        #expect(
            try stored.lines("SELECT line, reason FROM rejections WHERE archive LIKE '%-0.jsonl' ORDER BY line")
                == ["1|malformed_payload", "2|malformed_payload", "4|malformed_payload"])
        #expect(
            try stored.lines("SELECT archive_id, lines, loaded_lines, complete FROM archives ORDER BY 1").count == 2)
        #expect(try stored.lines("SELECT count(*) FROM submissions") == ["3"])
        #expect(try stored.lines("SELECT transaction_id FROM purchases") == ["2"])
    }
}
