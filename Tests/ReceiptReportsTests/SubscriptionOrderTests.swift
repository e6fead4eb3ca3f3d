import MillTestSupport
internal import Testing

@testable import MillRun
@testable import ReceiptWarehouse

/// Periods of one subscription, to be checked on paper: the newest receipt is of
/// 2024-03-15 unless a test says otherwise, and original 1001 stands for all.
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
    private func answer(
        _ name: String, _ settings: (name: String, text: String)..., newest: String = "2024-03-15",
        of periods: Period...
    ) throws -> [String] {
        let rows = """
            INSERT INTO archive
                (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
            VALUES (1, 'night.jsonl.gz', x'11', 1, 1, 1, 1, 0, 0);
            INSERT INTO app VALUES (1, 'Production', 'club');
            INSERT INTO product VALUES (1, 'monthly'), (2, 'yearly');
            INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
            VALUES (1, x'a1', 'app_receipt', 'trusted', 1, unixepoch('\(newest)') * 1000, 1, 1);
            INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
            VALUES (1 << 32 | 1, 1, 'D1', 'ann', unixepoch('2024-03-15 01:00:00') * 1000, 'match');
            WITH period(transaction_id, product, starts, expires, canceled, trial) AS (
                VALUES \(periods.map(\.values).joined(separator: ", "))
            )
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date,
                 expires_date, cancellation_date, is_trial_period, is_in_intro_offer_period, as_of, receipt_id)
            SELECT 1, transaction_id, 1001, product, 3, unixepoch(starts) * 1000, unixepoch(expires) * 1000,
                unixepoch(canceled) * 1000, trial, 0, unixepoch('\(newest)') * 1000, 1
            FROM period;
            """
        return try SampleDatabase(rows: rows).rows(of: name, with: settings).map {
            $0.replacing("Production,club,", with: "")
        }
    }

    private let refundedYear = Period(
        product: "yearly", starts: "2024-01-01", expires: "2025-01-01", canceled: "2024-02-01")
    private let laterMonth = Period(transaction: 1002, starts: "2024-03-01", expires: "2024-04-01")
    private let endOfMarch = "2024-03-31 23:59:59"

    @Test("A month bought after a year was refunded runs, though the year would have expired later")
    func monthAfterRefundedYear() throws {
        #expect(
            try answer("active-subscriptions", newest: endOfMarch, of: refundedYear, laterMonth) == [
                "2024-01,(all),1,0,0,0,0,1,0,0,0,1", "2024-02,(all),0,0,0,0,0,-1,0,0,0,0",
                "2024-03,(all),1,0,0,0,0,1,0,0,0,1",
            ])
        #expect(
            try answer("renewals-due", of: refundedYear, laterMonth) == [
                "1001,monthly,paid,2024-04-01T00:00:00Z,17,untold,,,(none),1001,original,,,2024-03-15T00:00:00Z,,"
            ])
    }

    @Test("It is a return after a loss, and the cancellation no change")
    func returnAfterRefundedYear() throws {
        #expect(
            try answer("subscription-churn", newest: endOfMarch, of: refundedYear, laterMonth) == [
                "2024-01,0,0,0,,,,0,0,0,0,0,0,0,0,,2024-04-01", "2024-02,1,1,0,,1.0,1.0,0,0,0,0,1,0,0,0,,2024-04-30",
                "2024-03,0,0,0,,,,0,0,0,0,0,0,0,0,,2024-05-31",
            ])
        #expect(try answer("plan-changes", of: refundedYear, laterMonth) == [])
        #expect(
            try answer("refunds", ("by", "product"), of: refundedYear, laterMonth) == [
                "2024-01,yearly,(none),none,1,1,,,,,0,2024-04-01", "2024-02,yearly,(none),none,0,0,,,,,0,2024-04-30",
                "2024-03,monthly,(none),none,1,0,,,,,0,2024-05-31", "2024-03,yearly,(none),none,0,0,,,,,0,2024-05-31",
            ])
    }

    @Test("Who is refunded, returns and is lost within one month is lost once of those that ran as it began")
    func lostTwiceInAMonth() throws {
        let year = Period(product: "yearly", starts: "2024-01-01", expires: "2025-01-01", canceled: "2024-02-03")
        let month = Period(
            transaction: 1002, starts: "2024-02-05", expires: "2024-03-05", canceled: "2024-02-20")
        #expect(
            try answer("subscription-churn", of: year, month) == [
                "2024-01,0,0,0,,,,0,0,0,0,0,0,0,0,,2024-04-01", "2024-02,1,1,0,,1.0,1.0,0,0,0,0,1,0,0,1,,2024-04-30",
            ])
    }

    @Test("Who is refunded in one month, and returns and is lost in the next, is not of those that ran as it began")
    func lostAfterReturn() throws {
        let year = Period(product: "yearly", starts: "2023-12-01", expires: "2024-12-01", canceled: "2024-01-20")
        let month = Period(
            transaction: 1002, starts: "2024-02-05", expires: "2024-03-05", canceled: "2024-02-20")
        #expect(
            try answer("subscription-churn", ("from", "2024-01"), of: year, month) == [
                "2024-01,1,1,0,,1.0,1.0,0,0,0,0,1,0,0,0,,2024-04-01", "2024-02,0,0,0,,,,0,0,0,0,0,0,0,1,,2024-04-30",
            ])
    }

    @Test("A period that begins hours after the last, in another month, did not run as that month began")
    func gapOverMonthsEnd() throws {
        let first = Period(starts: "2024-01-31 23:30:00", expires: "2024-02-29 23:30:00")
        let second = Period(
            transaction: 1002, starts: "2024-03-01 07:30:00", expires: "2024-03-31 07:30:00", canceled: "2024-03-10")
        #expect(
            try answer("subscription-churn", ("from", "2024-02"), newest: endOfMarch, of: first, second) == [
                "2024-02,1,0,0,,0.0,0.0,0,0,0,0,0,0,0,0,,2024-04-30", "2024-03,0,0,0,,,,0,0,0,0,0,0,0,1,,2024-05-31",
            ])
        // A renewal all the same.
        #expect(
            try answer("renewal-rate", newest: "2024-04-30", of: first, second) == [
                "2024-02,(all),1,1,0,1.0,0,0,2024-04-30", "2024-03,(all),0,0,0,,0,0,2024-05-31",
            ])
    }

    @Test("A month that lapsed is found, though a refunded year would expire after it")
    func lapsedMonthAfterRefundedYear() throws {
        let month = Period(transaction: 1002, starts: "2024-02-03", expires: "2024-03-03")
        #expect(
            try answer("renewals-due", of: refundedYear, month) == [
                "1001,monthly,paid,2024-03-03T00:00:00Z,-12,billing_retry,,,(none),1001,original,,,2024-03-15T00:00:00Z,,"
            ])
        #expect(
            try answer("renewals-due", ("past", "80"), newest: "2024-05-15", of: refundedYear, month) == [
                "1001,monthly,paid,2024-03-03T00:00:00Z,-73,lapsed,,,(none),1001,original,,,2024-05-15T00:00:00Z,,"
            ])
    }

    @Test("A year that was canceled as a month began is a change to the month")
    func yearReplacedByMonth() throws {
        var year = refundedYear
        year.canceled = "2024-02-29 23:59:40"
        #expect(try answer("plan-changes", of: year, laterMonth) == ["2024-03,yearly,monthly,(none),1,0,0,0,1,1,0,"])
        #expect(
            try answer("subscription-churn", of: year, laterMonth) == [
                "2024-01,0,0,0,,,,0,0,0,0,0,0,0,0,,2024-04-01", "2024-02,1,0,0,,0.0,0.0,0,0,0,0,0,0,0,0,,2024-04-30",
            ])
        #expect(
            try answer("refunds", ("by", "product"), ("until", "2024-02"), of: year, laterMonth) == [
                "2024-01,yearly,(none),none,1,0,,,,,0,2024-04-01", "2024-02,yearly,(none),none,0,0,,,,,0,2024-04-30",
            ])
    }

    @Test("A year that a month replaced without a cancellation runs no more")
    func yearReplacedSilently() throws {
        var year = refundedYear
        year.canceled = nil
        #expect(
            try answer("active-subscriptions", ("by", "product"), newest: endOfMarch, of: year, laterMonth) == [
                "2024-01,yearly,1,0,0,0,0,1,0,0,0,1", "2024-02,yearly,1,0,0,0,0,0,0,0,0,1",
                "2024-03,monthly,1,0,0,0,0,1,0,0,0,1", "2024-03,yearly,0,0,0,0,0,-1,0,0,0,0",
            ])
    }

    @Test("What was refunded after it had expired is lost because it expired, and not by the refund")
    func refundedAfterExpiry() throws {
        let period = Period(starts: "2024-02-01", expires: "2024-03-01", canceled: "2024-03-05")
        #expect(
            try answer("subscription-churn", newest: "2024-05-31", of: period) == [
                "2024-02,0,0,0,,,,0,0,0,0,0,0,0,0,,2024-04-30", "2024-03,1,1,0,1.0,1.0,1.0,0,0,0,0,0,1,0,0,,2024-05-31",
                "2024-04,0,0,0,,,,0,0,0,0,0,0,0,0,,2024-06-30",
            ])
        // It was due, and its money came back.
        #expect(
            try answer("renewal-rate", newest: "2024-05-31", of: period) == [
                "2024-03,(all),1,0,0,0.0,0,0,2024-05-31", "2024-04,(all),0,0,0,,0,0,2024-06-30",
            ])
        #expect(
            try answer("refunds", newest: "2024-05-31", of: period) == [
                "2024-02,(all),(none),none,1,1,1.0,,,,0,2024-04-30", "2024-03,(all),(none),none,0,0,,,,,0,2024-05-31",
                "2024-04,(all),(none),none,0,0,,,,,0,2024-06-30", "2024-05,(all),(none),none,0,0,,,,,0,2024-07-31",
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
            try database.rows(of: "plan-changes") == [
                "Production,club,2024-02,monthly,yearly,(none),1,0,0,0,1,1,0,",
                "Production,club,2024-03,monthly,yearly,(none),0,0,0,0,0,0,0,",
            ])
        #expect(
            try database.rows(of: "refunds", with: [("by", "product")]) == [
                "Production,club,2024-02,monthly,(none),none,1,0,,,,,0,2024-04-30",
                "Production,club,2024-02,yearly,(none),none,1,0,,,,,0,2024-04-30",
                "Production,club,2024-03,monthly,(none),none,0,0,,,,,0,2024-05-31",
                "Production,club,2024-03,yearly,(none),none,0,0,,,,,0,2024-05-31",
            ])
    }

    @Test("A free period after a paid one is no trial")
    func trialAfterPaid() throws {
        let paid = Period(starts: "2024-01-01", expires: "2024-02-01")
        let trial = Period(transaction: 1002, starts: "2024-02-10", expires: "2024-02-17", isTrial: true)
        #expect(try answer("trial-conversion", of: paid, trial) == [])
        #expect(
            try answer("new-subscriptions", of: paid, trial) == [
                "2024-01,(all),0,1,1,0,0,1", "2024-02,(all),0,0,0,0,0,1", "2024-03,(all),0,0,0,0,0,0",
            ])
    }

    @Test("The product of a cohort is that of the period that began first")
    func firstProduct() throws {
        #expect(
            try answer("subscription-retention", ("periods", "1"), of: refundedYear, laterMonth) == [
                "yearly,P1Y,2024-01,1,1,1,1,,,2025-04-01"
            ])
    }

    @Test("A subscription whose last period is over is, though a period that it replaced would still run")
    func replacedYearIsOver() throws {
        var year = refundedYear
        year.canceled = nil
        let month = Period(transaction: 1002, starts: "2024-02-01", expires: "2024-03-01")
        func retention(_ newest: String) throws -> [String] {
            try answer("subscription-retention", ("periods", "1"), newest: newest, of: year, month)
        }
        // Retried in March, and given up after 60 days.
        #expect(try retention("2024-03-15") == ["yearly,P1Y,2024-01,1,1,0,0,,,2025-04-01"])
        #expect(try retention("2024-05-15") == ["yearly,P1Y,2024-01,1,1,1,1,,,2025-04-01"])
    }

    @Test("So is one whose refund only a restored copy shows")
    func refundStatedByCopy() throws {
        var told = refundedYear
        told.canceled = nil
        var copy = refundedYear
        copy.transaction = 900
        // It runs at the newest receipt, and has not been asked yet.
        #expect(
            try answer("subscription-retention", ("periods", "1"), of: told) == [
                "yearly,P1Y,2024-01,1,1,0,0,,,2025-04-01"
            ])
        #expect(
            try answer("subscription-retention", ("periods", "1"), of: told, copy) == [
                "yearly,P1Y,2024-01,1,1,1,1,,,2025-04-01"
            ])
    }

    @Test("Two periods that expire together are two")
    func periodsOfOneExpiration() throws {
        let month = Period(starts: "2024-02-01", expires: "2024-03-01")
        let year = Period(transaction: 1002, product: "yearly", starts: "2024-02-10", expires: "2024-03-01")
        #expect(
            try answer("plan-changes", of: month, year) == [
                "2024-02,monthly,yearly,(none),1,0,0,0,1,1,0,", "2024-03,monthly,yearly,(none),0,0,0,0,0,0,0,",
            ])
        #expect(
            try answer("refunds", ("by", "product"), of: month, year) == [
                "2024-02,monthly,(none),none,1,0,,,,,0,2024-04-30", "2024-02,yearly,(none),none,1,0,,,,,0,2024-04-30",
                "2024-03,monthly,(none),none,0,0,,,,,0,2024-05-31", "2024-03,yearly,(none),none,0,0,,,,,0,2024-05-31",
            ])
    }

    @Test("A trial that was canceled runs no more, and its cancellation is no refund")
    func canceledTrial() throws {
        let trial = Period(starts: "2024-02-25", expires: "2024-03-20", canceled: "2024-02-27", isTrial: true)
        #expect(try answer("active-subscriptions", of: trial) == [])
        #expect(
            try answer("trial-conversion", of: trial) == [
                "2024-02,(all),1,0,,0,0,0,2024-03-27", "2024-03,(all),0,0,,0,0,0,",
            ])
        #expect(try answer("refund-owners", ("least", "1"), of: trial) == [])
        #expect(try answer("refunds", of: trial) == [])
        #expect(
            try answer("revenue", ("until", "2024-02"), of: trial) == [
                "2024-02,monthly,(all),(all),(none),none,0,,0,,,,,1,1"
            ])
    }

    @Test("A refunded year has a known second period")
    func refundedYearIsOver() throws {
        #expect(
            try answer("subscription-retention", ("periods", "1"), of: refundedYear) == [
                "yearly,P1Y,2024-01,1,1,1,1,,,2025-04-01"
            ])
    }
}
