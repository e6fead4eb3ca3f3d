import Foundation
import GRDB
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import ReceiptWarehouse
import TestSupport
import Testing

@testable import MillRun

@Suite("A minted archive of signed data with every defect")
struct SignedTruthTests {
    private struct Loaded {
        let minted: MintedArchive
        let summary: RunSummary
        let stored: Stored
    }

    private static let loaded = Result {
        let minted = try MintedArchive(signedLines: 1_200)
        let database = minted.workdir.path("truth.sqlite")
        return Loaded(
            minted: minted, summary: try minted.ingest(into: database).run(), stored: Stored(database))
    }

    @Test("becomes a submission or a rejection for each document of each line, as planted")
    func documentsAreAsPlanted() throws {
        let loaded = try Self.loaded.get()
        var (submissions, rejections): ([String], [String]) = ([], [])
        for line in try loaded.minted.lines(MintRun.linesName, as: LineTruth.self) {
            let place = "\(line.archive)|\(line.line)"
            if let reason = line.rejection { rejections.append("\(place)|-|\(reason)") }
            rejections += line.unreadable.map { $0.map { "\(place)|\($0.document)|\($0.reason)" } } ?? []
            guard let sha256 = line.receiptSha256, let verdict = line.verdict, let check = line.deviceCheck else {
                continue
            }
            let documents =
                line.documents?.map { "\($0.receiptSha256)|\($0.verdict)|\($0.deviceCheck)" }
                ?? ["\(sha256)|\(verdict)|\(check)"]
            let context = [line.deviceId, line.accountId, line.submittedAt].map { $0 ?? "-" }.joined(separator: "|")
            submissions += documents.map { "\(place)|\($0)|\(context)" }
        }
        let found = try loaded.stored.lines(
            """
            SELECT archive, line, receipt_sha256, verdict, device_check, device_id, account_id, submitted_at
            FROM submissions
            """)
        #expect(found.sorted() == submissions.sorted())
        #expect(
            try loaded.stored.lines("SELECT archive, line, document, reason FROM rejections").sorted()
                == rejections.sorted())
        #expect(rejections.contains { !$0.contains("|-|") })
    }

    @Test("becomes the documents that were minted, and the purchases in their latest state")
    func documentsAreAsMinted() throws {
        let loaded = try Self.loaded.get()
        let documents = try loaded.minted.lines(MintRun.signedName, as: SignedTruth.self)
        #expect(
            try loaded.stored.lines("SELECT receipt_sha256, kind, verdict, bytes, bundle_id FROM receipts").sorted()
                == documents.map { "\($0.receiptSha256)|\($0.kind)|\($0.verdict)|\($0.bytes)|\($0.bundleId ?? "-")" }
                .sorted())
        let purchases = try loaded.minted.lines(MintRun.purchasesName, as: PurchaseTruth.self)
        #expect(
            try loaded.stored.lines(
                "SELECT environment, transaction_id, receipt_sha256, price_milliunits, currency FROM purchases"
            ).sorted()
                == purchases.map { purchase in
                    let price = purchase.priceMilliunits.map(String.init) ?? "-"
                    return [
                        purchase.environment, purchase.transactionId, purchase.receiptSha256, price,
                        purchase.currency ?? "-",
                    ].joined(separator: "|")
                }.sorted())
    }

    @Test("is summed up as planted, in the database and by the run")
    func totalsAreAsPlanted() throws {
        let loaded = try Self.loaded.get()
        let (totals, summary) = (loaded.minted.truth.totals, loaded.summary)
        #expect(summary.failures.isEmpty && summary.lines == totals.lines && summary.lines == 1_200)
        #expect(summary.submissions == totals.submissions)
        #expect(summary.newPurchases == totals.purchases)
        func counted(_ sql: String) throws -> [String: Int] {
            Dictionary(uniqueKeysWithValues: try loaded.stored.rows(sql).map { ($0[0], $0[1]) })
        }
        #expect(try counted("SELECT reason, count(*) FROM rejections GROUP BY 1") == totals.rejections)
        #expect(try counted("SELECT verdict, count(*) FROM receipts GROUP BY 1") == totals.receiptsByVerdict)
        #expect(try counted("SELECT verdict, count(*) FROM submissions GROUP BY 1") == totals.submissionsByVerdict)
        #expect(
            try counted("SELECT device_check, count(*) FROM submissions GROUP BY 1") == totals.submissionsByDeviceCheck)
        #expect(
            try counted("SELECT verdict, count(*) FROM claimed_purchases GROUP BY 1") == totals.claimedPurchases)
        #expect(summary.linesReadInPart == loaded.minted.truth.defects["broken_among_others"]?.values.joined().count)
    }
}
