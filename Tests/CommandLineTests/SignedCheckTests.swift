internal import Foundation
internal import GRDB
internal import ReceiptMint
internal import TestSupport
internal import Testing

/// `receiptmill check` of what signed data of StoreKit 2 comes to.
@Suite struct SignedCheckTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    /// A database of signed data with every defect, loaded once in a process.
    private static let loaded = Result {
        let workdir = try Workdir()
        var parameters = MintParameters()
        (parameters.count, parameters.signed) = (600, 1)
        _ = try MintRun(parameters).run(into: workdir.url.appending(path: "minted"))
        let result = try Mill.run([
            "ingest", workdir.path("minted/receipts-001.jsonl.gz"), "--trust", workdir.path("minted/root.pem"),
            "--database", workdir.path("mill.sqlite"), "--quiet",
        ])
        #expect(result.status == 0, "\(result)")
        return workdir
    }

    init() throws {
        workdir = try Workdir()
        try workdir.write(Self.loaded.get().read("mill.sqlite"), to: "mill.sqlite")
    }

    @Test("check finds no offence in signed data as it was loaded")
    func soundDatabase() throws {
        let result = try Mill.run(["check", "--database", database])
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasSuffix(": none") })
        for promise in ["terms_without_purchase", "terms_outdated", "receipt_part_differs", "signed_data_differs"] {
            #expect(lines.contains { $0.hasPrefix("\(promise): ") }, "\(promise)")
        }
    }

    @Test(
        "check names a promise of signed data that is broken",
        arguments: [
            (
                """
                DELETE FROM purchase WHERE purchase_id = (
                    SELECT min(purchase_id) FROM purchase JOIN purchase_terms USING (app_id, transaction_id))
                """, "terms_without_purchase"
            ),
            ("DELETE FROM claimed_purchase WHERE kind = 'signed_transaction'", "terms_without_purchase"),
            (
                "UPDATE claimed_purchase SET kind = 'app_receipt' WHERE kind = 'signed_transaction'",
                "terms_without_purchase"
            ),
            ("DELETE FROM purchase_terms WHERE verdict = 'trusted'", "terms_without_purchase"),
            ("DELETE FROM purchase_terms WHERE verdict <> 'trusted'", "terms_without_purchase"),
            ("UPDATE purchase_terms SET receipt_id = NULL WHERE verdict = 'trusted'", "terms_outdated"),
            (
                """
                UPDATE purchase_terms SET receipt_id = (
                    SELECT older.receipt_id
                    FROM receipt_purchase AS link
                    JOIN receipt AS older ON older.receipt_id = link.receipt_id
                    WHERE link.transaction_id = purchase_terms.transaction_id
                        AND older.app_id = purchase_terms.app_id AND older.verdict = purchase_terms.verdict
                    ORDER BY older.receipt_creation_date, older.sha256
                    LIMIT 1)
                """, "terms_outdated"
            ),
            ("UPDATE purchase_terms SET price_receipt_id = receipt_id WHERE terms_id = 1", "terms_outdated"),
            (
                """
                UPDATE purchase_terms SET storefront_receipt_id = (SELECT max(receipt_id) FROM notification)
                WHERE terms_id = 1
                """, "terms_outdated"
            ),
            (
                """
                UPDATE purchase_terms SET offer_receipt_id = (
                    SELECT other.receipt_id FROM purchase_terms AS other
                    WHERE other.transaction_id <> purchase_terms.transaction_id
                        AND other.app_id = purchase_terms.app_id AND other.verdict = purchase_terms.verdict
                    LIMIT 1)
                WHERE terms_id = (SELECT min(terms_id) FROM purchase_terms WHERE verdict = 'trusted')
                """, "terms_outdated"
            ),
            (
                """
                INSERT INTO receipt_part
                SELECT receipt_id, 'renewal', receipt_id FROM receipt WHERE kind = 'signed_transaction' LIMIT 1
                """, "receipt_part_differs"
            ),
            (
                "UPDATE receipt SET kind = 'app_transaction' WHERE receipt_id = (SELECT min(receipt_id) FROM receipt_part)",
                "receipt_part_differs"
            ),
            (
                "UPDATE receipt SET verdict = 'bad_signature' WHERE receipt_id = (SELECT min(receipt_id) FROM renewal)",
                "signed_data_differs"
            ),
            (
                """
                UPDATE receipt SET kind = 'signed_renewal'
                WHERE receipt_id = (SELECT min(receipt_id) FROM app_transaction)
                """, "signed_data_differs"
            ),
            (
                """
                INSERT INTO app_transaction (receipt_id)
                SELECT receipt_id FROM receipt WHERE kind = 'app_transaction' AND verdict <> 'trusted'
                UNION ALL
                SELECT receipt_id FROM receipt WHERE kind = 'notification' LIMIT 1
                """, "signed_data_differs"
            ),
            ("DELETE FROM renewal WHERE receipt_id = (SELECT max(receipt_id) FROM renewal)", "signed_data_differs"),
            ("DELETE FROM notification", "signed_data_differs"),
            ("DELETE FROM app_transaction", "signed_data_differs"),
            (
                "UPDATE receipt SET kind = 'app_receipt' WHERE receipt_id = (SELECT min(receipt_id) FROM revocation)",
                "signed_data_differs"
            ),
        ])
    func brokenPromise(sql: String, promise: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        try DatabaseQueue(path: database, configuration: configuration).write {
            try $0.execute(sql: sql)
            #expect($0.changesCount > 0)
        }
        let result = try Mill.run(["check", "--database", database, "--quiet"])
        #expect(result.status == 65)
        #expect(result.output.split(separator: "\n").contains { $0.hasPrefix("\(promise): ") }, "\(result.output)")
    }
}
