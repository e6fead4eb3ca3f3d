import Foundation
import GRDB
import MillSystem
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import ReceiptVerification
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

@Suite("A minted archive of every defect")
struct TruthTests {
    private struct Loaded {
        let minted: MintedArchive
        let summary: RunSummary
        let stored: Stored
    }

    private static let loaded = Result {
        let minted = try MintedArchive.shared.get()
        let database = minted.workdir.path("truth.sqlite")
        var ingest = try minted.ingest(into: database)
        ingest.configuration.apps = minted.truth.apps.compactMap {
            AppSetting(parsing: "\($0.bundleId):\($0.firstFreeVersion):\($0.platform)")
        }
        return Loaded(minted: minted, summary: try ingest.run(), stored: Stored(database))
    }

    private func byFirstColumns(_ rows: [Row], _ columns: String...) -> [String: Row] {
        Dictionary(
            rows.map { row in
                (columns.map { "\(row[$0] as DatabaseValue? ?? .null)" }.joined(separator: " "), row)
            }
        ) { first, _ in first }
    }

    private func key(_ parts: any DatabaseValueConvertible...) -> String {
        parts.map { "\($0.databaseValue)" }.joined(separator: " ")
    }

    /// Compares a truth's members with the columns of the same names.
    private func expect(_ row: Row, _ stated: [String: Any], but others: Set<String> = []) {
        for column in row.columnNames where !others.contains(column) {
            let wanted: DatabaseValue =
                switch stated[column] {
                case let number as NSNumber: number.int64Value.databaseValue
                case let text as String: text.databaseValue
                default: .null
                }
            #expect(row[column] == wanted, "\(column) of \(stated)")
        }
    }

    @Test("has owners who are counted by version and by the best of the purchases that they presented")
    func ownersAreCounted() throws {
        let stored = try Self.loaded.get().stored
        let counted = try stored.lines(
            """
            SELECT app.environment, app.bundle_id, version.version, best, sum(owners)
            FROM model_owner_counts
            JOIN app USING (app_id)
            LEFT JOIN version USING (version_id)
            GROUP BY 1, 2, 3, 4
            ORDER BY 1, 2, 3, 4
            """)
        #expect(counted.count > 20)
        let owners = try stored.lines(
            """
            WITH presented AS (
                SELECT DISTINCT
                    receipts.environment, receipts.bundle_id, coalesce(account_id, device_id) AS owner,
                    iif(account_id IS NULL, 'device', 'account') AS owner_kind, transaction_id
                FROM submissions
                JOIN receipts USING (receipt_sha256)
                JOIN receipt_purchases USING (receipt_sha256)
                WHERE receipts.verdict = 'trusted' AND submissions.device_check <> 'mismatch'
            ),
            standing AS (
                SELECT
                    environment, bundle_id, owner, owner_kind,
                    max(CASE
                        WHEN cancellation_date IS NOT NULL THEN 1
                        WHEN is_trial_period <> 0 THEN 2
                        ELSE 3
                    END) AS best
                FROM presented
                JOIN purchases USING (environment, bundle_id, transaction_id)
                GROUP BY 1, 2, 3, 4
            )
            SELECT
                app_owners.environment, app_owners.bundle_id, original_application_version,
                CASE standing.best WHEN 3 THEN 'bought' WHEN 2 THEN 'trial' WHEN 1 THEN 'canceled' ELSE 'none' END,
                count(*)
            FROM app_owners
            LEFT JOIN standing USING (environment, bundle_id, owner, owner_kind)
            GROUP BY 1, 2, 3, 4
            ORDER BY 1, 2, 3, 4
            """)
        #expect(counted == owners)
    }

    @Test("holds every kind of defect")
    func everyDefectIsPlanted() throws {
        let truth = try Self.loaded.get().minted.truth
        #expect(Set(truth.defects.keys) == Set(Defect.allCases.map(\.rawValue)))
        #expect(truth.archives.count == 2)
    }

    @Test("becomes a submission or a rejection for each line, as planted")
    func linesAreAsPlanted() throws {
        let loaded = try Self.loaded.get()
        var submissions = byFirstColumns(try loaded.stored.rows("SELECT * FROM submissions"), "archive", "line")
        var rejections = byFirstColumns(try loaded.stored.rows("SELECT * FROM rejections"), "archive", "line")
        let lines = try loaded.minted.lines(MintRun.linesName, as: LineTruth.self)
        for (line, stated) in zip(lines, try loaded.minted.objects(MintRun.linesName)) {
            let place = key(line.archive, line.line)
            if let reason = line.rejection {
                let found = rejections.removeValue(forKey: place)
                let row = try #require(found, "\(line)")
                #expect(row["reason"] == reason, "\(line)")
                #expect(row["detail"] != "")
            } else {
                let found = submissions.removeValue(forKey: place)
                let row = try #require(found, "\(line)")
                expect(row, stated, but: ["submission_id", "app_check"])
            }
        }
        #expect(submissions.isEmpty)
        #expect(rejections.isEmpty)
    }

    @Test("becomes the receipts that were minted, with their purchases")
    func receiptsAreAsMinted() throws {
        let loaded = try Self.loaded.get()
        var receipts = byFirstColumns(try loaded.stored.rows("SELECT * FROM receipts"), "receipt_sha256")
        var links: [String: [String]] = [:]
        for row in try loaded.stored.rows("SELECT receipt_sha256, transaction_id FROM receipt_purchases") {
            links[row[0], default: []].append(row[1])
        }
        let minted = try loaded.minted.lines(MintRun.receiptsName, as: ReceiptTruth.self)
        for (receipt, stated) in zip(minted, try loaded.minted.objects(MintRun.receiptsName)) {
            let found = receipts.removeValue(forKey: key(receipt.receiptSha256))
            let row = try #require(found, "\(receipt)")
            expect(
                row, stated,
                but: ["kind", "original_application_version_key", "signer", "purchase_count", "receipt_number"])
            #expect(row["kind"] == "app_receipt")
            #expect(row["purchase_count"] == receipt.transactionIds.count)
            let signer: String = row["signer"] ?? ""
            #expect(signer.contains(receipt.signerCommonName), "\(receipt)")
            #expect((links[receipt.receiptSha256] ?? []).sorted() == receipt.transactionIds.sorted(), "\(receipt)")
        }
        #expect(receipts.isEmpty)
    }

    @Test("becomes the purchases in their latest state")
    func purchasesAreInTheirLatestState() throws {
        let loaded = try Self.loaded.get()
        var purchases = byFirstColumns(
            try loaded.stored.rows("SELECT * FROM purchases"), "environment", "bundle_id", "transaction_id")
        let minted = try loaded.minted.lines(MintRun.purchasesName, as: PurchaseTruth.self)
        for (purchase, stated) in zip(minted, try loaded.minted.objects(MintRun.purchasesName)) {
            let place = key(purchase.environment, purchase.bundleId, purchase.transactionId)
            let found = purchases.removeValue(forKey: place)
            expect(try #require(found, "\(purchase)"), stated)
        }
        #expect(purchases.isEmpty)
    }

    @Test("is summed up as planted, in the database and by the run")
    func totalsAreAsPlanted() throws {
        let loaded = try Self.loaded.get()
        let totals = loaded.minted.truth.totals
        let summary = loaded.summary
        #expect(summary.archives == 2 && summary.failures.isEmpty)
        #expect(summary.lines == totals.lines && summary.lines == 1_500)
        #expect(summary.submissions == totals.submissions)
        #expect(summary.newReceipts == totals.receipts)
        #expect(summary.knownReceipts == totals.submissions - totals.receipts)
        #expect(summary.newPurchases == totals.purchases)
        func counts(_ pairs: some Sequence<(String, Int)>) -> [String: Int] { Dictionary(pairs) { $0 + $1 } }
        #expect(counts(summary.rejected.map { ($0.key.rawValue, $0.value) }) == totals.rejections)
        #expect(counts(summary.verdicts.map { ($0.key.rawValue, $0.value) }) == totals.receiptsByVerdict)
        func counted(_ sql: String) throws -> [String: Int] {
            counts(try loaded.stored.rows(sql).map { ($0[0], $0[1]) })
        }
        #expect(
            try counted("SELECT verdict, count(*) FROM submissions GROUP BY 1") == totals.submissionsByVerdict)
        #expect(
            try counted("SELECT device_check, count(*) FROM submissions GROUP BY 1") == totals.submissionsByDeviceCheck)
        #expect(
            try counted("SELECT verdict, count(*) FROM claimed_purchases GROUP BY 1") == totals.claimedPurchases)
        #expect(try counted("SELECT 'all', count(*) FROM receipt_purchases") == ["all": totals.receiptPurchases])
        #expect(
            try counted("SELECT name, lines FROM archives WHERE complete")
                == counts(loaded.minted.truth.archives.map { ($0.name, $0.lines) }))
    }

    @Test("shows the era of each app's owners")
    func erasAreAsPlanted() throws {
        let loaded = try Self.loaded.get()
        for app in loaded.minted.truth.apps {
            for era in ["paid", "free"] {
                let count = try loaded.stored.lines(
                    "SELECT count(*) FROM app_owners WHERE bundle_id = ? AND era = ? AND owner_kind = 'account'",
                    [app.bundleId, era])
                #expect(count == ["\(app.accountsByEra[era] ?? 0)"], "\(app.bundleId), \(era)")
            }
        }
    }
}
