import MillTestSupport
internal import Testing

@testable import MillRun
@testable import ReceiptWarehouse

/// Periods of one subscription, to be checked on paper: the newest receipt is of
/// 2024-03-15, and original 1001 stands for all.
private struct Period {
    var transaction = 1001
    var product = "monthly"
    var starts: String
    var expires: String
    var canceled: String?
    var isTrial = false

    var values: String {
        let canceled = canceled.map { "'\($0)'" } ?? "NULL"
        return "(\(transaction), \(product == "monthly" ? 1 : 2), '\(starts)', '\(expires)', \(canceled), \(isTrial))"
    }
}

/// What reports say of subscriptions whose periods do not simply follow one another.
@Suite struct SubscriptionOrderTests {
    private func answer(_ name: String, _ settings: (name: String, text: String)..., of periods: Period...) throws
        -> [String]
    {
        let rows = """
            INSERT INTO archive
                (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
            VALUES (1, 'night.jsonl.gz', x'11', 1, 1, 1, 1, 0, 0);
            INSERT INTO app VALUES (1, 'Production', 'club');
            INSERT INTO product VALUES (1, 'monthly'), (2, 'yearly');
            INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
            VALUES (1, x'a1', 'app_receipt', 'trusted', 1, unixepoch('2024-03-15') * 1000, 1, 1);
            INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
            VALUES (1 << 32 | 1, 1, 'D1', 'ann', unixepoch('2024-03-15 01:00:00') * 1000, 'match');
            WITH period(transaction_id, product, starts, expires, canceled, trial) AS (
                VALUES \(periods.map(\.values).joined(separator: ", "))
            )
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date,
                 expires_date, cancellation_date, is_trial_period, is_in_intro_offer_period, as_of, receipt_id)
            SELECT 1, transaction_id, 1001, product, 3, unixepoch(starts) * 1000, unixepoch(expires) * 1000,
                unixepoch(canceled) * 1000, trial, 0, unixepoch('2024-03-15') * 1000, 1
            FROM period;
            """
        return try SampleDatabase(rows: rows).rows(of: name, with: settings).map {
            $0.replacing("Production,club,", with: "")
        }
    }

    private let refundedYear = Period(
        product: "yearly", starts: "2024-01-01", expires: "2025-01-01", canceled: "2024-02-01")
    private let laterMonth = Period(transaction: 1002, starts: "2024-03-01", expires: "2024-04-01")

    @Test("A month bought after a year was refunded runs, though the year would have expired later")
    func monthAfterRefundedYear() throws {
        #expect(try answer("subscriptions-active", of: refundedYear, laterMonth) == ["2024-03-15,monthly,paid,1,0,0"])
        #expect(
            try answer("subscriptions-expiring", ("days", "30"), of: refundedYear, laterMonth) == [
                "1001,monthly,paid,2024-03-01T00:00:00Z,2024-04-01T00:00:00Z,16,(none),none,,,,2024-03-15T23:59:59Z"
            ])
    }

    @Test("It is a return after a lapse, and the cancellation no upgrade")
    func returnAfterRefundedYear() throws {
        #expect(
            try answer("subscription-churn", of: refundedYear, laterMonth) == [
                "2024-01,0,1,0,0,0,,0,2024-03-15T23:59:59Z", "2024-02,1,0,0,1,1,1.0,0,2024-03-15T23:59:59Z",
                "2024-03,0,0,1,0,0,,0,2024-03-15T23:59:59Z",
            ])
        #expect(try answer("subscription-upgrades", of: refundedYear, laterMonth) == ["yearly,2024-02,(none),1"])
    }

    @Test("A month that lapsed is found, though a refunded year would expire after it")
    func lapsedMonthAfterRefundedYear() throws {
        let month = Period(transaction: 1002, starts: "2024-02-03", expires: "2024-03-03")
        #expect(
            try answer("subscriptions-expired", of: refundedYear, month) == [
                "1001,monthly,paid,2024-02-03T00:00:00Z,2024-03-03T00:00:00Z,12,(none),none,,,,2024-03-15T23:59:59Z,expired"
            ])
    }

    @Test("A year that was canceled as a month began is an upgrade to the month")
    func yearReplacedByMonth() throws {
        var year = refundedYear
        year.canceled = "2024-02-29 23:59:40"
        #expect(try answer("subscription-upgrades", of: year, laterMonth) == ["yearly,2024-02,monthly,1"])
        #expect(try answer("subscription-churn", of: year, laterMonth) == ["2024-01,0,1,0,0,0,,0,2024-03-15T23:59:59Z"])
    }

    @Test("A year that a month replaced without a cancellation runs no more")
    func yearReplacedSilently() throws {
        var year = refundedYear
        year.canceled = nil
        #expect(try answer("subscriptions-active", of: year, laterMonth) == ["2024-03-15,monthly,paid,1,0,0"])
        #expect(
            try answer("subscriptions-active", ("on", "2024-02-29"), of: year, laterMonth) == [
                "2024-02-29,yearly,paid,1,0,0"
            ])
    }

    @Test("What was refunded after it had expired neither expired nor is in grace")
    func refundedAfterExpiry() throws {
        let period = Period(starts: "2024-02-01", expires: "2024-03-01", canceled: "2024-03-05")
        #expect(try answer("subscriptions-expired", of: period) == [])
        #expect(try answer("subscriptions-active", ("grace_days", "30"), of: period) == [])
        // Nobody knew of it on the third.
        #expect(
            try answer("subscriptions-active", ("on", "2024-03-03"), ("grace_days", "30"), of: period) == [
                "2024-03-03,monthly,paid,0,1,0"
            ])
    }

    @Test("An upgrade of a period that names no original is one")
    func upgradeOfUnnamed() throws {
        let rows = """
            INSERT INTO app VALUES (1, 'Production', 'club');
            INSERT INTO product VALUES (1, 'monthly'), (2, 'yearly');
            INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
            VALUES (1, x'a1', 'app_receipt', 'trusted', 1, unixepoch('2024-03-15') * 1000, 1, 1);
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, purchase_date, expires_date,
                 cancellation_date, as_of, receipt_id)
            VALUES
                (1, 1001, NULL, 1, unixepoch('2024-02-01') * 1000, unixepoch('2024-03-01') * 1000,
                 unixepoch('2024-02-10') * 1000, 0, 1),
                (1, 1002, 1001, 2, unixepoch('2024-02-10') * 1000, unixepoch('2025-02-10') * 1000, NULL, 0, 1);
            """
        let database = try SampleDatabase(rows: rows)
        #expect(
            try database.rows(of: "subscription-upgrades") == [
                "Production,club,monthly,2024-02,yearly,1"
            ])
        #expect(
            try database.rows(of: "refunds") == [
                "Production,club,monthly,2024-02,1,0,1,0,0.0,0", "Production,club,yearly,2024-02,1,0,0,0,0.0,0",
            ])
    }

    @Test("A trial after a paid period is not converted by it")
    func trialAfterPaid() throws {
        let paid = Period(starts: "2024-01-01", expires: "2024-02-01")
        let trial = Period(transaction: 1002, starts: "2024-02-10", expires: "2024-02-17", isTrial: true)
        #expect(
            try answer("trial-conversion", of: paid, trial) == ["monthly,2024-02,1,0,0,0.0,0,0,2024-03-15T23:59:59Z"])
    }

    @Test("The product of a cohort is that of the period that began first")
    func firstProduct() throws {
        #expect(
            try answer("subscription-retention", ("periods", "1"), of: refundedYear, laterMonth) == [
                "yearly,2024-01,0,1,1,1.0,0,0,0,2024-03-15T23:59:59Z",
                "yearly,2024-01,1,1,1,1.0,0,1,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("A subscription whose last period is over is, though a period that it replaced would still run")
    func replacedYearIsOver() throws {
        var year = refundedYear
        year.canceled = nil
        let month = Period(transaction: 1002, starts: "2024-02-01", expires: "2024-03-01")
        #expect(
            try answer("subscription-retention", ("periods", "2"), ("grace_days", "14"), of: year, month) == [
                "yearly,2024-01,0,1,1,1.0,0,0,0,2024-03-15T23:59:59Z",
                "yearly,2024-01,1,1,1,1.0,0,0,0,2024-03-15T23:59:59Z",
                "yearly,2024-01,2,1,0,0.0,1,0,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("So is one whose refund only a restored copy shows")
    func refundStatedByCopy() throws {
        var told = refundedYear
        told.canceled = nil
        var copy = refundedYear
        copy.transaction = 900
        #expect(
            try answer("subscription-retention", ("periods", "1"), of: told, copy) == [
                "yearly,2024-01,0,1,1,1.0,0,0,0,2024-03-15T23:59:59Z",
                "yearly,2024-01,1,1,0,0.0,1,0,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("Two periods that expire together are two")
    func periodsOfOneExpiration() throws {
        let month = Period(starts: "2024-02-01", expires: "2024-03-01")
        let year = Period(transaction: 1002, product: "yearly", starts: "2024-02-10", expires: "2024-03-01")
        #expect(
            try answer("subscription-retention", ("periods", "1"), of: month, year) == [
                "monthly,2024-02,0,1,1,1.0,0,0,0,2024-03-15T23:59:59Z",
                "monthly,2024-02,1,1,1,1.0,0,1,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("A trial that was canceled runs no more, and its cancellation is no refund")
    func canceledTrial() throws {
        let trial = Period(starts: "2024-03-10", expires: "2024-03-17", canceled: "2024-03-12", isTrial: true)
        #expect(try answer("trial-conversion", of: trial) == ["monthly,2024-03,1,0,0,0.0,0,0,2024-03-15T23:59:59Z"])
        #expect(try answer("refund-delays", of: trial) == [])
        #expect(try answer("refund-owners", ("least", "1"), of: trial) == [])
        #expect(try answer("refunds", of: trial) == ["monthly,2024-03,1,1,0,0,,0"])
        #expect(try answer("overview", of: trial).contains { $0.hasPrefix("refunds,0,") })
    }

    @Test("A refunded year has a known second period")
    func refundedYearIsOver() throws {
        #expect(
            try answer("subscription-retention", ("periods", "1"), of: refundedYear) == [
                "yearly,2024-01,0,1,1,1.0,0,0,0,2024-03-15T23:59:59Z",
                "yearly,2024-01,1,1,0,0.0,1,0,0,2024-03-15T23:59:59Z",
            ])
    }
}
