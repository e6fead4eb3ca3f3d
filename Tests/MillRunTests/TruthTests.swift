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
        let summary: IngestSummary
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

    /// Compares a truth's properties with the columns of the same names.
    private func expect(_ row: Row, _ truth: some Encodable, but others: Set<String> = []) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let stated = try #require(
            try JSONSerialization.jsonObject(with: try encoder.encode(truth)) as? [String: Any])
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

    @Test("has the same owners, versions and eras with what they spent and with the evidence")
    func ownersAgree() throws {
        let stored = try Self.loaded.get().stored
        let columns = "environment, bundle_id, owner, owner_kind, original_application_version, era"
        let owners = try stored.lines("SELECT \(columns) FROM app_owners ORDER BY \(columns)")
        #expect(owners.count > 100)
        #expect(try stored.lines("SELECT \(columns) FROM owner_spending ORDER BY \(columns)") == owners)
    }

    @Test("has owners whose best and first purchases are those of all that they presented")
    func spendingAgrees() throws {
        let stored = try Self.loaded.get().stored
        let columns = "environment, bundle_id, owner, owner_kind"
        let presented = try stored.lines(
            """
            SELECT \(columns), max(best), min(CASE WHEN best = 3 THEN unixepoch(purchase_date) / 86400 END)
            FROM (
                SELECT
                    *,
                    CASE
                        WHEN cancellation_date IS NOT NULL THEN 1
                        WHEN is_trial_period <> 0 THEN 2
                        ELSE 3
                    END AS best
                FROM owner_purchases
            ) AS judged
            WHERE NOT EXISTS (
                SELECT 1 FROM family_shares JOIN app_names USING (app_number)
                WHERE app_names.environment IS judged.environment
                    AND app_names.bundle_id IS judged.bundle_id
                    AND family_shares.transaction_id = judged.transaction_id)
            GROUP BY \(columns) ORDER BY \(columns)
            """)
        #expect(presented.count > 100)
        let spending =
            "SELECT \(columns), best, first_bought_day FROM owner_spending WHERE best > 0 ORDER BY \(columns)"
        #expect(try stored.lines(spending) == presented)
    }

    @Test("has owners who are counted by version, era, best purchase, days and how soon they bought")
    func standingsAgree() throws {
        let stored = try Self.loaded.get().stored
        let columns = "environment, bundle_id, original_application_version, era, best"
        let standings = try stored.lines("SELECT \(columns), owners FROM owner_standing ORDER BY \(columns)")
        #expect(standings.count > 20)
        let spending = "SELECT \(columns), count(*) FROM owner_spending GROUP BY \(columns) ORDER BY \(columns)"
        #expect(try stored.lines(spending) == standings)

        let keys = "environment, bundle_id, version, era, day_number, is_first_seen, best, bought_within"
        let counted = try stored.lines(
            """
            SELECT \(keys), owners
            FROM owners_by_number
            JOIN app_names USING (app_number)
            LEFT JOIN version_places USING (version_number)
            ORDER BY \(keys)
            """)
        #expect(counted.count > 100)
        #expect(
            try stored.lines(
                """
                SELECT
                    environment, bundle_id, original_application_version AS version, era,
                    coalesce(got_day, first_seen_day) AS day_number, got_day IS NULL AS is_first_seen, best,
                    CASE
                        WHEN first_bought_day < coalesce(got_day, first_seen_day) THEN 0
                        ELSE (
                            SELECT min(days) FROM (SELECT 7 AS days UNION SELECT 30 UNION SELECT 90) AS windows
                            WHERE first_bought_day - coalesce(got_day, first_seen_day) <= days
                        )
                    END AS bought_within,
                    count(*)
                FROM owner_spending
                GROUP BY \(keys) ORDER BY \(keys)
                """) == counted)
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
        for line in try loaded.minted.lines(MintRun.linesName, as: LineTruth.self) {
            let place = key(line.archive, line.line)
            if let reason = line.rejection {
                let found = rejections.removeValue(forKey: place)
                let row = try #require(found, "\(line)")
                #expect(row["reason"] == reason, "\(line)")
                #expect(row["detail"] != "")
            } else {
                let found = submissions.removeValue(forKey: place)
                let row = try #require(found, "\(line)")
                try expect(row, line, but: ["submission_id", "app_check"])
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
        for receipt in try loaded.minted.lines(MintRun.receiptsName, as: ReceiptTruth.self) {
            let found = receipts.removeValue(forKey: key(receipt.receiptSha256))
            let row = try #require(found, "\(receipt)")
            try expect(row, receipt, but: ["kind", "original_application_version_key", "signer", "purchase_count"])
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
        for purchase in try loaded.minted.lines(MintRun.purchasesName, as: PurchaseTruth.self) {
            let place = key(purchase.environment, purchase.bundleId, purchase.transactionId)
            let found = purchases.removeValue(forKey: place)
            try expect(try #require(found, "\(purchase)"), purchase)
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
