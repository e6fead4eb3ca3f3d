import Foundation
import GRDB
import MillTestSupport
import ReceiptMint
import ReceiptWarehouse
import TestSupport
import Testing

@testable import MillRun

@Suite("A minted archive of what the store signs since 2026")
struct Truth2026Tests {
    private static let loaded = Result {
        let minted = try MintedArchive(linesOf2026: 900)
        let database = minted.workdir.path("2026.sqlite")
        let summary = try minted.ingest(into: database).run()
        return (minted: minted, summary: summary, stored: Stored(database))
    }

    @Test("has the sums and counts in a database that its stories were played for")
    func totals() throws {
        let (minted, summary, stored) = try Self.loaded.get()
        #expect(summary.failures.isEmpty && summary.lines == 900)
        let truth = String(decoding: try minted.workdir.read(MintRun.truthName), as: UTF8.self)
            .replacing("'", with: "''")
        let sql = try String(contentsOf: Repository.file(".ci/differences-from-truth.sql"), encoding: .utf8)
            .replacing("readfile(:truth)", with: "'\(truth)'")
        let differences = try stored.lines(sql)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        let of2026 = try #require(minted.truth.of2026)
        #expect(of2026.money.count > 3 && of2026.unknownMembers.count == 8 && of2026.seats.revoked > 0)
    }

    @Test("has the plans, seats and amounts of each purchase")
    func purchases() throws {
        let (minted, _, stored) = try Self.loaded.get()
        let planted = try minted.lines(MintRun.purchasesName, as: PurchaseTruth.self).map { purchase in
            let numbers = [
                purchase.amountMilliunits ?? purchase.priceMilliunits, purchase.commitmentPeriod,
                purchase.commitmentPeriods, purchase.commitmentPriceMilliunits, purchase.seatsRevoked,
            ].map { $0.map(String.init) }
            return
                ([purchase.transactionId] + numbers + [
                    purchase.billingPlan, purchase.commitmentExpiresDate, purchase.seatInvitations,
                    purchase.additionalReason, purchase.previousOriginalTransactionId,
                ]).map { $0 ?? "-" }.joined(separator: "|")
        }
        let found = try stored.lines(
            """
            SELECT transaction_id, amount_milliunits, commitment_period, commitment_periods,
                commitment_price_milliunits, seats_revoked, billing_plan, commitment_expires_date, seat_invitations,
                additional_reason, previous_original_transaction_id
            FROM purchases
            """)
        #expect(found.sorted() == planted.sorted())
        #expect(planted.contains { $0.contains("SEAT_ADDITION") } && planted.contains { $0.contains("MONTHLY") })
    }

    @Test("has what becomes of each plan and of the seats at the next renewal")
    func renewals() throws {
        let (minted, _, stored) = try Self.loaded.get()
        let planted = try minted.lines(MintRun.renewalsName, as: RenewalTruth.self).map { renewal in
            let numbers = [
                renewal.commitmentAutoRenewStatus, renewal.commitmentRenewalPriceMilliunits, renewal.renewalQuantity,
                renewal.renewalAmountMilliunits,
            ].map { $0.map(String.init) }
            return ([renewal.originalTransactionId, renewal.billingPlan, renewal.commitmentRenewalDate] + numbers)
                .map { $0 ?? "-" }.joined(separator: "|")
        }
        // Without seats, the amount is the price.
        let found = try stored.lines(
            """
            SELECT original_transaction_id, billing_plan, commitment_renewal_date, commitment_auto_renew_status,
                commitment_renewal_price_milliunits, renewal_quantity,
                CASE WHEN renewal_quantity IS NOT NULL THEN renewal_amount_milliunits END
            FROM renewals
            """)
        #expect(found.sorted() == planted.sorted())
    }
}
