import Foundation
import MillTestSupport
import ReceiptArchive
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

/// The merge rule of receipts and signed strings, against one that is written out
/// plainly, in many orders.
@Suite("Receipts and signed strings of one customer")
struct SignedMergeTests {
    private static let terms =
        CustomerDocuments.groups.flatMap { $0 } + ["is_upgraded"]

    /// Every row of what documents tell, with digests in place of numbers.
    private static let tables: [String] = {
        let shas = MergedTerms.sourceColumns.map { digest(of: "t.\($0)") }.joined(separator: ", ")
        let app = "a.environment, a.bundle_id"
        let purchase = """
            \(app), t.transaction_id, t.original_transaction_id, p.product_id, t.quantity, t.product_type, t.purchase_date,
            t.original_purchase_date, t.expires_date, t.cancellation_date, t.is_trial_period,
            t.is_in_intro_offer_period, t.promotional_offer_id, t.as_of, \(digest(of: "t.receipt_id"))
            """
        let products = """
            (SELECT product_id FROM product WHERE product_number = t.product_number),
            (SELECT product_id FROM product WHERE product_number = t.auto_renew_product_number)
            """
        return [
            "SELECT \(purchase) FROM purchase t JOIN app a USING (app_id) LEFT JOIN product p USING (product_number)",
            """
            SELECT \(purchase), t.verdict, t.kind FROM claimed_purchase t
            JOIN app a USING (app_id) LEFT JOIN product p USING (product_number)
            """,
            """
            SELECT \(app), t.transaction_id, t.verdict, \(terms.map { "t.\($0)" }.joined(separator: ", ")),
            \(digest(of: "t.receipt_id")), \(shas) FROM purchase_terms t JOIN app a USING (app_id)
            """,
            """
            SELECT \(digest(of: "t.receipt_id")), revocation_date, revocation_reason, revocation_type, revoked_share
            FROM revocation t
            """,
            """
            SELECT \(digest(of: "t.receipt_id")), t.environment, original_transaction_id, signed_at, \(products),
            auto_renew_status FROM renewal t
            """,
            """
            SELECT \(digest(of: "t.receipt_id")), t.environment, notification_uuid, notification_type, status
            FROM notification t
            """,
            "SELECT \(digest(of: "t.receipt_id")), part, \(digest(of: "t.part_receipt_id")) FROM receipt_part t",
            "SELECT \(digest(of: "t.receipt_id")), original_platform, app_transaction_id FROM app_transaction t",
            "SELECT hex(sha256), kind, verdict, purchase_count FROM receipt t",
            "SELECT \(digest(of: "t.receipt_id")), transaction_id FROM receipt_purchase t",
        ]
    }()

    private static func digest(of column: String) -> String {
        "(SELECT hex(sha256) FROM receipt WHERE receipt_id = \(column))"
    }

    private func content(_ stored: Stored) throws -> [String] {
        try Self.tables.enumerated().flatMap { number, sql in try stored.lines(sql).map { "\(number): \($0)" }.sorted()
        }
    }

    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    /// Loads lines in archives, by one run or several.
    private func load(
        _ archives: [[String]], _ documents: CustomerDocuments, jobs: Int, batchSize: Int, runs: Int, into name: String
    ) throws -> Stored {
        let paths = try archives.enumerated().map { number, lines in
            try workdir.write(lines.map { $0 + "\n" }.joined(), to: "\(name)-\(number).jsonl")
        }
        for run in 0..<runs {
            var ingest = Ingest(archives: [], .withoutModels(database: workdir.path(name)))
            ingest.configuration.anchors = try documents.anchors
            (ingest.configuration.jobs, ingest.configuration.batchSize) = (jobs, batchSize)
            ingest.archives = paths.enumerated().filter { $0.offset % runs == run }.map(\.element)
            #expect(try ingest.run().failures.isEmpty)
        }
        return Stored(workdir.path(name))
    }

    @Test("tell the same in any order, any batches, by any number of workers and runs", arguments: [1, 2] as [UInt64])
    func orders(seed: UInt64) throws {
        let documents = try CustomerDocuments(seed: seed, count: 28)
        let lines = documents.documents.map(\.text) + documents.others
        let reference = try content(
            load([lines], documents, jobs: 1, batchSize: 1 << 20, runs: 1, into: "reference.sqlite"))
        #expect(reference.count > 60)
        try expectPlainMerge(documents, Stored(workdir.path("reference.sqlite")))
        var random = SeededGenerator(seed: seed)
        for round in 0..<Nightly.rounds(day: 6, night: 60) {
            var archives = [[String]](repeating: [], count: Int.random(in: 1...4, using: &random))
            for line in lines.shuffled(using: &random) {
                archives[Int.random(in: archives.indices, using: &random)].append(line)
            }
            // Some lines hold several documents.
            if round % 2 == 1 {
                let list = archives[0].map { "\"\($0)\"" }.joined(separator: ",")
                archives[0] = ["{\"signedTransactions\":[\(list)]}"]
            }
            let found = try content(
                load(
                    archives, documents, jobs: Int.random(in: 1...2, using: &random),
                    batchSize: [1, 5_000, 20_000, 1 << 20].randomElement(using: &random) ?? 1,
                    runs: Int.random(in: 1...2, using: &random), into: "\(round).sqlite"))
            let differences = found.difference(from: reference)
            #expect(differences.isEmpty, "seed \(seed), round \(round): \(differences.prefix(4))")
        }
    }

    /// The rule, plainly: of all documents the newest, of each group of terms the newest
    /// that states it, ties to the greater SHA-256.
    private func expectPlainMerge(_ documents: CustomerDocuments, _ stored: Stored) throws {
        func sorted(_ documents: [CustomerDocuments.Document]) -> [CustomerDocuments.Document] {
            documents.sorted { ($0.date, $0.sha256) > ($1.date, $1.sha256) }
        }
        let trusted = documents.documents.filter(\.isTrusted)
        var (purchases, terms) = ([String](), [String]())
        for transaction in Set(trusted.map(\.transaction)) {
            let own = sorted(trusted.filter { $0.transaction == transaction })
            purchases.append(
                "\(transaction)|\(own[0].product)|\(own[0].quantity)|\(own[0].date)|\(own[0].sha256.uppercased())")
            let signed = own.filter { $0.terms != nil }
            guard let newest = signed.first?.terms else { continue }
            var row = [transaction]
            for group in CustomerDocuments.groups {
                let stating = signed.first { document in group.contains { document.terms?[$0] != nil } }
                row += group.map { stating?.terms?[$0] ?? "-" }
            }
            terms.append((row + [newest["is_upgraded"] ?? "-"]).joined(separator: "|"))
        }
        #expect(
            try stored.lines(
                "SELECT transaction_id, p.product_id, quantity, as_of, \(Self.digest(of: "t.receipt_id")) "
                    + "FROM purchase t JOIN product p USING (product_number)"
            ).sorted() == purchases.sorted())
        #expect(
            try stored.lines(
                "SELECT transaction_id, \(Self.terms.joined(separator: ", ")) FROM purchase_terms "
                    + "WHERE verdict = 'trusted'"
            ).sorted() == terms.sorted())
    }

    @Test("keep a currency without a price until a price is stated, from the newest that states one")
    func currenciesAlone() throws {
        typealias Store = SignedStringStore
        let (store, date) = (try Store(), SignedStringStore.signedAt)
        func transaction(_ id: String, _ date: Int64, _ more: String) throws -> String {
            try store.sign(
                """
                {"transactionId":"\(id)","bundleId":"com.example.app","environment":"Production","productId":"p",\
                "signedDate":\(date)\(more)}
                """)
        }
        let lines = [
            try transaction("8", date, ",\"currency\":\"USD\""),
            try transaction("8", date + 1, ",\"currency\":\"EUR\""),
            try transaction("8", date + 2, ""), try transaction("9", date - 1, ",\"price\":5,\"currency\":\"JPY\""),
            try transaction("9", date, ",\"currency\":\"USD\""),
        ]
        for (name, order) in [("a", [0, 1, 2, 3, 4]), ("b", [4, 2, 1, 3, 0]), ("c", [1, 0, 3, 4, 2])] {
            for size in [1, 1 << 20] {
                let path = workdir.path("\(name)\(size).sqlite")
                let archive = try workdir.write(order.map { lines[$0] + "\n" }.joined(), to: "\(name)\(size).jsonl")
                var ingest = Ingest(archives: [archive], .withoutModels(database: path))
                _ = try ingest.configuration.anchors.insertCertificates(of: store.root.der)
                ingest.configuration.batchSize = size
                _ = try ingest.run()
                #expect(
                    try Stored(path).lines(
                        "SELECT transaction_id, price_milliunits, currency FROM purchase_terms ORDER BY 1")
                        == ["8|-|EUR", "9|5|JPY"], "\(name) \(size)")
            }
        }
    }

    @Test("keep a price that newer receipts and signed strings leave out; the greater SHA-256 wins a tie")
    func pricesStay() throws {
        typealias Store = SignedStringStore
        // The receipts' store signs today, the strings' signed a year ago at the latest.
        let (store, receipts) = (try Store(), try LegacyStore(version: 3))
        func transaction(_ date: Int64, _ more: String) throws -> String {
            try store.sign(
                """
                {"transactionId":"9","bundleId":"com.example.app","environment":"Production","productId":"of \(date)",\
                "signedDate":\(date)\(more)}
                """)
        }
        let date = Store.signedAt
        let receipt = try receipts.container(
            PayloadBytes.payload([
                PayloadBytes.attribute(0, PayloadBytes.text("Production")),
                PayloadBytes.attribute(2, PayloadBytes.text("com.example.app")),
                PayloadBytes.attribute(12, PayloadBytes.date(Date() + 60)),
                PayloadBytes.purchase("9", product: "of the receipt"),
            ]))
        let priced = try transaction(date, ",\"price\":1990,\"currency\":\"EUR\"")
        let older = try transaction(date - 1, ",\"price\":5,\"currency\":\"JPY\",\"storefront\":\"JPN\"")
        let bare = try transaction(date + 1, "")
        let tied = try ["USA", "DEU", "FRA"].map { try transaction(date + 2, ",\"transactionReason\":\"\($0)\"") }
        let digests = try tied.map { text in
            try workdir.write(Array(text.utf8), to: "tied")
            return try workdir.openssl("dgst", "-sha256", "-r", "tied")?.prefix(64) ?? ""
        }
        let greatest = try #require(zip(digests, ["USA", "DEU", "FRA"]).max { $0.0 < $1.0 })
        let lines = [Data(receipt).base64EncodedString(), priced, older, bare] + tied
        var random = SeededGenerator(seed: 5)
        for round in 0..<4 {
            let name = "prices\(round).sqlite"
            let archive = try workdir.write(
                (round == 0 ? lines : lines.shuffled(using: &random)).map { $0 + "\n" }.joined(), to: "\(name).jsonl")
            var ingest = Ingest(archives: [archive], .withoutModels(database: workdir.path(name)))
            _ = try ingest.configuration.anchors.insertCertificates(of: store.root.der)
            _ = try ingest.configuration.anchors.insertCertificates(of: receipts.root)
            ingest.configuration.batchSize = round % 2 == 0 ? 1 : 1 << 20
            _ = try ingest.run()
            let stored = Stored(workdir.path(name))
            #expect(
                try stored.lines(
                    "SELECT price_milliunits, currency, storefront, transaction_reason FROM purchase_terms")
                    == ["1990|EUR|JPN|\(greatest.1)"])
            #expect(
                try stored.lines("SELECT product_id FROM purchase JOIN product USING (product_number)")
                    == ["of the receipt"])
        }
    }
}
