import Foundation
import MillTestSupport
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

/// What the views show of documents whose texts are known, by way of `ingest` and by way of `decode` and `load`.
@Suite("Documents of 2026")
struct Data2026Tests {
    private let workdir: Workdir
    private let store: SignedStringStore

    init() throws { (workdir, store) = (try Workdir(), try SignedStringStore()) }

    private func ingest(_ payloads: [String] = Documents2026.all, trusted: Bool = true) throws -> Stored {
        let lines = try payloads.map { try store.sign($0) + "\n" }
        var ingest = Ingest(
            archives: [try workdir.write(lines.joined(), to: "night.jsonl")],
            .withoutModels(database: workdir.path("mill.sqlite")))
        if trusted { _ = try ingest.configuration.anchors.insertCertificates(of: store.root.der) }
        let summary = try ingest.run()
        #expect(summary.failures.isEmpty && summary.rejected.isEmpty)
        return Stored(workdir.path("mill.sqlite"))
    }

    @Test("of a commitment: plan, periods, price and end; whether another commitment follows")
    func commitment() throws {
        let stored = try ingest()
        #expect(
            try stored.lines(
                """
                SELECT amount_milliunits, billing_plan, commitment_period, commitment_periods,
                    commitment_price_milliunits, commitment_expires_date, previous_original_transaction_id,
                    storefront_id
                FROM purchases WHERE transaction_id = '3003'
                """) == ["9990|MONTHLY|3|12|119880|2025-08-24T01:46:40Z|2999|143455"])
        #expect(
            try stored.lines(
                """
                SELECT billing_plan, commitment_auto_renew_status, commitment_renewal_date,
                    commitment_renewal_price_milliunits, commitment_product_id, commitment_billing_plan,
                    renewal_amount_milliunits, offer_discount_type, offer_period, eligible_win_back_offer_ids
                FROM renewals WHERE original_transaction_id = '3001'
                """) == [
                    "MONTHLY|0|2025-08-24T01:46:40Z|119880|silver.year|BILLED_UPFRONT|9990|PAY_AS_YOU_GO|P1M|"
                        + #"["back1","back2"]"#
                ])
    }

    @Test("of seats: what was charged for all of them, those revoked, and those of the next period")
    func seats() throws {
        let stored = try ingest()
        #expect(
            try stored.lines(
                """
                SELECT price_milliunits, amount_milliunits, quantity, seats_revoked, seat_invitations,
                    additional_reason, ownership
                FROM purchases WHERE transaction_id = '4001'
                """) == ["9240|73920|8|1|DEVELOPER|SEAT_ADDITION|ASSIGNED"])
        #expect(
            try stored.lines(
                """
                SELECT renewal_price_milliunits, renewal_quantity, renewal_amount_milliunits
                FROM renewals WHERE original_transaction_id = '4001'
                """) == ["9990|5|49950"])
    }

    @Test("of a sale by the Advanced Commerce API: each item, its refunds, and its next price")
    func items() throws {
        #expect(
            try ingest().lines(
                """
                SELECT sku, price_milliunits, refunded_milliunits, refunds, first_refund_date, last_refund_date,
                    refund_types, refund_reasons, revoked_date, next_price_milliunits, price_increase_milliunits,
                    price_increase_status, dependent_skus, offer_reason, tax_rate, estimated_tax_milliunits
                FROM purchase_items WHERE transaction_id = '5001' ORDER BY price_milliunits DESC
                """) == [
                    #"one|10000|0|0|-|-|-|-|-|10000|12000|PENDING|["three"]|WIN_BACK|0.20|3000"#,
                    "two|5000|2500|2|2024-10-31T18:40:00Z|2024-11-01T22:26:40Z|CUSTOM,PRORATED|LEGAL,OTHER|"
                        + "2024-11-01T22:26:40Z|-|-|-|-|-|0.20|3000",
                    "three|3000|0|0|-|-|-|-|-|-|-|-|-|-|0.20|3000",
                ])
    }

    @Test("of the app: platform, store, order and revocation")
    func app() throws {
        #expect(
            try ingest().lines(
                """
                SELECT original_platform, store_type, preorder_date, revocation_date
                FROM receipts WHERE kind = 'app_transaction'
                """) == ["visionOS|CONSUMER|2020-05-20T18:40:00Z|2024-10-27T03:33:20Z"])
    }

    @Test("of notifications: counts of a summary, seats to be freed, tokens that were not reported")
    func notifications() throws {
        let stored = try ingest()
        #expect(
            try stored.lines(
                """
                SELECT notification_uuid, environment, bundle_id, app_apple_id, product_id, version,
                    request_identifier, storefront_country_codes, succeeded_count, failed_count, unclaim_seat_ids
                FROM notifications ORDER BY 1
                """) == [
                    #"n-1|ProductionSandbox|com.example.app|777|gold.year|2.0|q-1|["CAN","USA"]|5|2|-"#,
                    "n-2|ProductionSandbox|com.example.app|777|-|2.0|-|-|-|-|-",
                    #"n-3|Production|com.example.app|777|-|2.0|-|-|-|-|["s1","s2"]"#,
                ])
        #expect(
            try stored.lines(
                """
                SELECT environment, bundle_id, external_purchase_id, token_creation_date, token_type,
                    token_expiration_date, subtype, is_unreported, notifications
                FROM external_purchase_tokens
                """) == [
                    "ProductionSandbox|com.example.app|SANDBOX_x1|2024-10-15T13:46:40Z|SERVICES|"
                        + "2025-10-09T08:53:20Z|UNREPORTED|1|1"
                ])
    }

    @Test("of a request for a retention message: who was about to cancel what")
    func realtimeRequest() throws {
        #expect(
            try ingest().lines(
                """
                SELECT request.environment, app_apple_id, original_transaction_id, product_id, user_locale,
                    request_identifier, kind
                FROM realtime_requests AS request JOIN receipts USING (receipt_sha256)
                """) == ["Production|777|3001|gold.year|fr-CA|q-2|realtime_request"])
    }

    @Test("of tomorrow: each member, value and type that nobody knows, counted by document; a type by its name")
    func tomorrow() throws {
        let another = Documents2026.tomorrow.replacing("6001", with: "6002")
        let stored = try ingest(Documents2026.all + [another])
        #expect(
            try stored.lines("SELECT path, value_type, kind, documents FROM unknown_members ORDER BY path") == [
                "commitmentInfo.pause|boolean|signed_transaction|2",
                #"inAppOwnershipType|string "LEASED"|signed_transaction|2"#, "loyalty|object|signed_transaction|2",
                "offerType|number 9|signed_transaction|2", "price|string|signed_transaction|2",
                "renewalDate|number|signed_transaction|2", #"type|string "Rental"|signed_transaction|2"#,
            ])
        #expect(
            try stored.lines(
                """
                SELECT count(*) FROM unknown_members
                JOIN receipts ON receipt_sha256 = example_receipt_sha256
                WHERE first_seen_at = receipt_creation_date AND last_seen_at = first_seen_at
                """) == ["7"])
        #expect(
            try stored.lines(
                "SELECT product_type, product_type_name, offer_type, price_milliunits FROM purchases WHERE product_id = 'gems'"
            ) == ["-1|Rental|9|-", "-1|Rental|9|-"])
    }

    @Test("that are not trusted leave no trace in what analysts read")
    func untrusted() throws {
        let stored = try ingest(trusted: false)
        for view in ["purchases", "purchase_items", "external_purchase_tokens", "realtime_requests", "unknown_members"]
        {
            #expect(try stored.lines("SELECT count(*) FROM \(view)") == ["0"], "\(view)")
        }
        #expect(
            try stored.lines("SELECT amount_milliunits FROM claimed_purchases WHERE transaction_id = '4001'")
                == ["73920"])
    }
}
