import Foundation
import MillTestSupport
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

@Suite("Loading transaction receipts")
struct TransactionReceiptIngestTests {
    /// Loads archives of lines in one run.
    @discardableResult
    private func ingest(
        _ archives: [String], in workdir: Workdir, database: String = "mill.sqlite", trusting root: [UInt8]? = nil,
        intermediates: [[UInt8]] = []
    ) throws -> RunSummary {
        var ingest = Ingest(archives: [], .withoutModels(database: workdir.path(database)))
        if let root {
            ingest.configuration.anchors = TrustAnchors()
            #expect(try ingest.configuration.anchors.insertCertificates(of: root) == 1)
        }
        for der in intermediates { try ingest.configuration.intermediates.insertCertificates(of: der) }
        ingest.archives = try archives.map { try workdir.write($0, to: "archive-\(UUID().uuidString).jsonl") }
        return try ingest.run()
    }

    private func rows(_ sql: String, in workdir: Workdir, database: String = "mill.sqlite") throws -> [String] {
        try Stored(workdir.path(database)).lines(sql)
    }

    private func line(_ receipt: [UInt8]) -> String { Data(receipt).base64EncodedString() + "\n" }

    @Test("makes a trusted one a purchase of its own kind")
    func loadsTrusted() throws {
        let (store, workdir) = (try LegacyStore(), try Workdir())
        let info = LegacyStore.purchaseInfo(transaction: "1000000123")
        let sandbox = try store.receipt(info, environment: "Sandbox")
        let production = try store.receipt(info)
        let summary = try ingest(
            [line(sandbox) + line(production) + line(sandbox)], in: workdir, trusting: store.root,
            intermediates: [store.intermediate])
        #expect(summary.verdicts == [.trusted: 2])
        #expect(summary.newPurchases == 2)
        #expect(
            try rows(
                "SELECT kind, verdict, environment, bundle_id, app_version, receipt_creation_date, digest_algorithm, "
                    + "signer, purchase_count FROM receipts ORDER BY environment", in: workdir)
                == ["Production", "Sandbox"].map {
                    "transaction_receipt|trusted|\($0)|com.example.app|1.2|-|sha1|CN=Throw-away signer|1"
                })
        #expect(
            try rows("SELECT transaction_id, product_id, quantity FROM purchases", in: workdir)
                == Array(repeating: "1000000123|com.example.gold|1", count: 2))
        #expect(try rows("SELECT DISTINCT device_check FROM submissions", in: workdir) == ["no_hash"])
        #expect(try rows("SELECT count(*) FROM reviewable_receipt", in: workdir) == ["0"])
    }

    @Test("gives it no lineage: it has neither attribute 4 nor 5")
    func hasNoLineage() throws {
        let (store, workdir) = (try LegacyStore(), try Workdir())
        let receipt = try store.receipt(LegacyStore.purchaseInfo(transaction: "1"))
        try ingest([line(receipt)], in: workdir, trusting: store.root)
        #expect(try rows("SELECT lineage IS NULL FROM receipts", in: workdir) == ["1"])
        #expect(try rows("SELECT lineage IS NULL FROM presentations", in: workdir) == ["1"])
    }

    @Test("takes a purchase with a number of the sandbox for one, whatever stands around the signature")
    func knowsTheSandboxByItsNumbers() throws {
        let (store, workdir) = (try LegacyStore(), try Workdir())
        func receipts(_ transaction: String) throws -> String {
            let info = LegacyStore.purchaseInfo(transaction: transaction, milliseconds: nil)
            return try ["Sandbox", "Production", nil].map { line(try store.receipt(info, environment: $0)) }.joined()
        }
        let lines = try receipts("1000000046178817") + receipts("170000029449420")
        try ingest([lines], in: workdir, trusting: store.root, intermediates: [store.intermediate])
        let byEnvironment =
            "SELECT environment, transaction_id, count(*) FROM receipt_purchases GROUP BY 1, 2 ORDER BY 1, 2"
        #expect(
            try rows(byEnvironment, in: workdir)
                == ["Production|170000029449420|2", "Sandbox|1000000046178817|3", "Sandbox|170000029449420|1"])
        #expect(
            try rows("SELECT transaction_id FROM purchases WHERE environment = 'Production'", in: workdir)
                == ["170000029449420"])
        // Lines of decode say the same.
        var decode = Decode(archives: [try workdir.write(lines, to: "lines.jsonl")])
        decode.configuration.anchors = TrustAnchors()
        _ = try decode.configuration.anchors.insertCertificates(of: store.root)
        let answers = try decode.objects().map { ($0["receipt"] as? [String: Any])?["environment"] as? String }
        #expect(answers == ["Sandbox", "Sandbox", "Sandbox", "Sandbox", "Production", "Production"])
    }

    @Test("keeps what a forged one claims apart, escapes and all")
    func loadsForged() throws {
        let (store, workdir) = (try LegacyStore(), try Workdir())
        let claimed = LegacyStore.purchaseInfo(transaction: #"com.\"x\".1471"#, product: #"gold \U20ac"#)
        let forged = try store.receipt(LegacyStore.purchaseInfo(transaction: "1"), claiming: claimed)
        try ingest([line(forged)], in: workdir, trusting: store.root, intermediates: [store.intermediate])
        #expect(try rows("SELECT * FROM purchases", in: workdir).isEmpty)
        #expect(
            try rows("SELECT verdict, transaction_id, product_id FROM claimed_purchases", in: workdir)
                == [#"bad_signature|com."x".1471|gold €"#])
        #expect(try rows("SELECT count(*) FROM reviewable_receipt", in: workdir) == ["0"])
    }

    @Test("verifies one again when its issuer is given later")
    func reviewsWhenIntermediateIsGiven() throws {
        let (store, workdir) = (try LegacyStore(), try Workdir())
        // Two receipts of one transaction: the claim of the one must not hide the
        // other's when it is withdrawn.
        let info = LegacyStore.purchaseInfo(transaction: "77")
        let both = line(try store.receipt(info)) + line(try store.receipt(info + Array("\n".utf8)))
        let foreign = try LegacyStore(version: 3, hasOwnKeys: true)
        let broken = line(try foreign.receipt(LegacyStore.purchaseInfo(transaction: "77")))

        let first = try ingest([both + broken], in: workdir, trusting: store.root)
        #expect(first.verdicts == [.brokenChain: 3])
        #expect(
            try rows("SELECT verdict, transaction_id FROM claimed_purchases", in: workdir) == ["broken_chain|77"])
        let detail = try rows("SELECT verdict_detail FROM receipt", in: workdir)
        #expect(detail.allSatisfy { $0.contains("--intermediate FILE") })

        let later = try ingest(["{}\n"], in: workdir, trusting: store.root, intermediates: [store.intermediate])
        #expect(later.newPurchases == 1)
        #expect(
            try rows("SELECT verdict, count(*) FROM receipts GROUP BY verdict", in: workdir)
                == ["broken_chain|1", "trusted|2"])
        #expect(try rows("SELECT transaction_id FROM purchases", in: workdir) == ["77"])
        #expect(
            try rows("SELECT verdict, transaction_id FROM claimed_purchases", in: workdir) == ["broken_chain|77"])

        // The same content, all known from the start.
        try ingest(
            [both + broken], in: workdir, database: "other.sqlite", trusting: store.root,
            intermediates: [store.intermediate])
        for view in ["receipts", "purchases", "claimed_purchases"] {
            let sql = "SELECT * FROM \(view) ORDER BY receipt_sha256"
            #expect(try rows(sql, in: workdir) == rows(sql, in: workdir, database: "other.sqlite"))
        }
    }

    @Test("leaves a claim that many made with those that still make it")
    func withdrawsSharedClaims() throws {
        let (store, foreign) = (try LegacyStore(), try LegacyStore(version: 3, hasOwnKeys: true))
        let workdir = try Workdir()
        let date = Int64(Date().timeIntervalSince1970 * 1000) + 1000
        let info = LegacyStore.purchaseInfo(transaction: "77", milliseconds: date)
        /// Receipts that differ in what nobody signs.
        func copies(_ count: Int, of receipt: [UInt8]) -> String {
            let text = String(decoding: receipt, as: UTF8.self)
            return (0..<count).map { line(Array(text.replacing("\"100\"", with: "\"\($0)\"").utf8)) }.joined()
        }
        let genuine = try copies(300, of: store.receipt(info))
        let claims = try copies(40, of: foreign.receipt(info))
        try ingest([genuine + claims], in: workdir, trusting: store.root)
        let greatest = "SELECT max(receipt_sha256) FROM receipts WHERE verdict = "
        let claimed = "SELECT receipt_sha256 FROM claimed_purchases WHERE verdict = 'broken_chain'"
        #expect(try rows(claimed, in: workdir) == rows(greatest + "'broken_chain'", in: workdir))

        try ingest(["{}\n"], in: workdir, trusting: store.root, intermediates: [store.intermediate])
        #expect(
            try rows("SELECT verdict, count(*) FROM receipts GROUP BY verdict", in: workdir)
                == ["broken_chain|40", "trusted|300"])
        #expect(try rows("SELECT count(*) FROM claimed_purchases", in: workdir) == ["1"])
        #expect(try rows(claimed, in: workdir) == rows(greatest + "'broken_chain'", in: workdir))
        #expect(
            try rows("SELECT receipt_sha256 FROM purchases", in: workdir) == rows(greatest + "'trusted'", in: workdir))
    }

    /// Of version 2 the signer may not sign app receipts: the one that carries its
    /// issuer is not trusted itself.
    @Test("finds an issuer in an app receipt of any line or archive", arguments: [UInt8(2), 3])
    func learnsIssuers(version: UInt8) throws {
        let (store, workdir) = (try LegacyStore(version: version), try Workdir())
        let carrier = version == 3 ? Verdict.trusted : .wrongPurpose
        let purchase = line(try store.receipt(LegacyStore.purchaseInfo(transaction: "5")))
        let app = line(try store.appReceipt())
        // One archive, two of one run, two runs; the issuer first and last.
        for (number, runs) in [
            [[purchase + app]], [[app + purchase]], [[purchase, app]], [[app, purchase]], [[purchase], [app]],
            [[app], [purchase]],
        ].enumerated() {
            let database = "\(number).sqlite"
            var verdicts: [Verdict: Int] = [:]
            for archives in runs {
                verdicts = try ingest(archives, in: workdir, database: database, trusting: store.root).verdicts
            }
            #expect(
                try rows("SELECT kind, verdict FROM receipts ORDER BY kind", in: workdir, database: database)
                    == ["app_receipt|\(carrier.rawValue)", "transaction_receipt|trusted"])
            #expect(try rows("SELECT transaction_id FROM purchases", in: workdir, database: database) == ["5"])
            #expect(try rows("SELECT * FROM claimed_purchases", in: workdir, database: database).isEmpty)
            if version == 3 { #expect(verdicts == [.trusted: runs.count == 1 ? 2 : 1]) }
        }
    }

    @Test("rejects JSON, missing signatures and unknown versions, and says so")
    func rejects() throws {
        let workdir = try Workdir()
        let json = #"{"signature":"AA==","purchase-info":"e30=","pod":"44"}"#
        let inner =
            "{signature = \"\(Data([2] + Array(repeating: 1, count: 128) + [0, 0, 0, 0]).base64EncodedString())\"; "
            + "purchase-info = \"\(Data(#"{"transaction-id":"1"}"#.utf8).base64EncodedString())\";}"
        let texts = [
            json, "{purchase-info = e30=;}", "{purchase-info = \"e30=\";}",
            "{signature = AQ; purchase-info = \"e30=\";}", "{signature = \"!\"; purchase-info = \"e30=\";}", inner,
            "  \n{",
        ]
        let summary = try ingest([texts.map { line(Array($0.utf8)) }.joined()], in: workdir)
        #expect(summary.submissions == 0)
        let found = try rows("SELECT reason || ': ' || detail FROM rejections ORDER BY line", in: workdir)
        let expected = [
            "malformed_container: JSON where a transaction receipt is a property list",
            "malformed_container: the property list lacks a ';'",
            "malformed_container: the transaction receipt has no signature",
            "malformed_container: signature: a transaction receipt's signature of version 1",
            "malformed_container: signature: no base64 text",
            "malformed_payload: purchase-info: JSON where",
            "malformed_container: the bytes end inside an element",
        ]
        #expect(found.count == expected.count)
        for (row, start) in zip(found, expected) { #expect(row.hasPrefix(start), "\(row)") }
    }

    @Test("trusts the store's own only over an intermediate that is known", .enabled(if: Corpus.isWhole))
    func loadsRealReceipts() throws {
        let workdir = try Workdir()
        let lines = try Corpus.names().map { try Corpus.text($0) + "\n" }
        try ingest([lines.joined()], in: workdir)
        #expect(
            try rows(
                "SELECT verdict, count(*) FROM receipts WHERE kind = 'transaction_receipt' GROUP BY verdict",
                in: workdir)
                == ["bad_signature|1", "broken_chain|4"])
        #expect(
            try rows("SELECT DISTINCT verdict_detail FROM receipt WHERE verdict = 'broken_chain'", in: workdir)
                .allSatisfy {
                    $0.contains("is missing: CN=Apple iTunes Store Certification Authority")
                })
        // Issuers are learned from app receipts, the roots among them.
        let learned = try rows("SELECT lower(hex(sha256)) FROM issuer_certificate", in: workdir)
        #expect(learned.contains("ce057691d730f89ca25e916f7335f4c8a15713dcd273a658c024023f8eb809c2"))
        #expect(learned.contains("b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"))
        try ingest([lines.reversed().joined()], in: workdir, database: "reversed.sqlite")
        func content(_ database: String) throws -> [String] {
            try Stored(workdir.path(database)).content(
                of: ["receipts", "purchases", "claimed_purchases"], without: Stored.ownColumns)
        }
        #expect(try content("mill.sqlite") == content("reversed.sqlite"))
    }
}
