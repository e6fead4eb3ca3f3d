import Foundation
import Testing

@testable import ReceiptMint

struct ShareTests {
    private typealias Minted = (truth: Truth, receipts: [ReceiptTruth], purchases: [PurchaseTruth])

    /// Made once: several tests look at it.
    private static let ordinary = Result { try mint(.small(2_000)) }

    @Test("every kind of defect is planted on the share of lines that was asked for")
    func sharesAreMet() throws {
        var parameters = MintParameters.small(1_000)
        for defect in Defect.allCases { parameters.shares[defect] = 0.02 }
        let truth = try Self.mint(parameters).truth
        for defect in Defect.allCases {
            let lines = truth.defects[defect.rawValue, default: [:]].values.reduce(0) { $0 + $1.count }
            // A shared receipt makes three, four or five lines.
            let tolerance = defect == .sharedReceipt ? 10 : 2
            #expect(abs(lines - 20) <= tolerance, "\(defect)")
        }
    }

    @Test("a clean archive has trusted receipts and matching devices only")
    func clean() throws {
        var parameters = MintParameters.small(600)
        parameters.shares = [:]
        parameters.bareLines = 0
        let truth = try Self.mint(parameters).truth
        #expect(truth.defects.isEmpty)
        #expect(truth.totals.submissionsByVerdict == ["trusted": 600])
        #expect(truth.totals.submissionsByDeviceCheck == ["match": 600])
    }

    @Test("most receipts carry up to ten purchases, some many more")
    func purchasesPerReceipt() throws {
        let counts = try Self.ordinary.get().receipts.map(\.transactionIds.count)
        let mean = Double(counts.reduce(0, +)) / Double(counts.count)
        #expect((3...6).contains(mean))
        #expect(Double(counts.count { $0 <= 10 }) > 0.9 * Double(counts.count))
        #expect(counts.contains { $0 > 50 })
    }

    @Test("apps, eras, product types, refunds, refreshes and shared receipts all occur")
    func everythingOccurs() throws {
        let (truth, _, purchases) = try Self.ordinary.get()
        for app in truth.apps {
            #expect(app.accountsByEra.values.allSatisfy { $0 > 0 }, "\(app.bundleId)")
        }
        #expect(Set(purchases.map(\.productType)) == [0, 1, 2, 3])
        #expect(purchases.contains { $0.isTrialPeriod == 1 })
        #expect(purchases.contains { $0.isInIntroOfferPeriod == 1 })
        #expect(purchases.contains { $0.cancellationDate != nil })
        #expect(purchases.contains { $0.transactionId != $0.originalTransactionId && $0.productType == 0 })
        #expect(truth.totals.refreshedLineages > 0)
        #expect(truth.totals.sharedReceipts > 0)
        #expect(Set(truth.totals.receiptsByDigestAlgorithm.keys) == ["sha1", "sha256", "md5"])
    }

    @Test("transaction identifiers are each sold once, restores apart")
    func identifiersAreUnique() throws {
        let purchases = try Self.ordinary.get().purchases
        let ids = Set(purchases.map { $0.environment + $0.transactionId })
        #expect(ids.count == purchases.count)
        for purchase in purchases {
            let isSandbox = purchase.environment == "ProductionSandbox"
            #expect(purchase.transactionId.count == (isSandbox ? 16 : 15))
        }
    }

    @Test("the totals are those of the facts beside them")
    func totalsAgree() throws {
        let (truth, receipts, purchases) = try Self.ordinary.get()
        #expect(truth.totals.receipts == receipts.count)
        #expect(Set(receipts.map(\.receiptSha256)).count == receipts.count)
        #expect(truth.totals.purchases == purchases.count)
        #expect(truth.totals.canceledPurchases == purchases.count { $0.cancellationDate != nil })
        let rejected = truth.totals.rejections.values.reduce(0, +)
        #expect(truth.totals.submissions + rejected == truth.totals.lines)
    }

    private static func mint(_ parameters: MintParameters) throws -> Minted {
        try withTemporaryFolder { folder in
            let truth = try MintRun(parameters).run(into: folder)
            let decoder = JSONDecoder.ofTruth
            return (
                truth, try decoder.lines(ReceiptTruth.self, at: folder.appending(path: MintRun.receiptsName)),
                try decoder.lines(PurchaseTruth.self, at: folder.appending(path: MintRun.purchasesName))
            )
        }
    }
}
