import MillTestSupport
internal import TestSupport
internal import Testing

@testable import ReceiptReports

/// Five subscriptions of one app, to be checked on paper. The newest receipt is
/// of 2024-03-15.
///
/// | original | product | periods |
/// | --- | --- | --- |
/// | 1001 | monthly | trial 01-01 to 01-08; to 02-08; to 03-08, refunded at its last second; ten receipts tell of the last |
/// | 2001 | monthly | 01-31 23:30 to 02-29 23:30; renewed 8 hours later, as UTC and Pacific time differ, to 03-31 |
/// | 3001 | monthly | 02-01 to 03-01, but upgraded on 02-15 to yearly, which begins 2 s later |
/// | 4001 | monthly | 01-10 to 02-10; another device restored it as transaction 4901 |
/// | 5001 | monthly | 2023-10-01 to 11-01; came back from 02-20 to 03-20 |
private let rows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at) VALUES (1, 'night.jsonl.gz', x'11', 1, 20, 20, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'com.example.club');
    INSERT INTO product VALUES (1, 'monthly'), (2, 'yearly');
    WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 10)
    INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    SELECT n, CAST(char(64 + n) AS BLOB), 'app_receipt', 'trusted', 1,
        (unixepoch('2024-03-05') + n * 86400) * 1000, 1, 1
    FROM counted;
    INSERT INTO receipt_purchase SELECT receipt_id, 1003 FROM receipt;
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    SELECT 1 << 32 | receipt_id, receipt_id, 'D1', 'ann', receipt_creation_date + 60000, 'match' FROM receipt;
    CREATE TEMP TABLE period (transaction_id, original, product, starts, expires, canceled, trial);
    INSERT INTO period VALUES
        (1001, 1001, 1, '2024-01-01 00:00:00', '2024-01-08 00:00:00', NULL, 1),
        (1002, 1001, 1, '2024-01-08 00:00:00', '2024-02-08 00:00:00', NULL, 0),
        (1003, 1001, 1, '2024-02-08 00:00:00', '2024-03-08 00:00:00', '2024-03-07 23:59:59', 0),
        (2001, 2001, 1, '2024-01-31 23:30:00', '2024-02-29 23:30:00', NULL, 0),
        (2002, 2001, 1, '2024-03-01 07:30:00', '2024-03-31 07:30:00', NULL, 0),
        (3001, 3001, 1, '2024-02-01 00:00:00', '2024-03-01 00:00:00', '2024-02-15 12:00:00', 0),
        (3002, 3001, 2, '2024-02-15 12:00:02', '2025-02-15 12:00:02', NULL, 0),
        (4001, 4001, 1, '2024-01-10 00:00:00', '2024-02-10 00:00:00', NULL, 0),
        (4901, 4001, 1, '2024-01-10 00:00:00', '2024-02-10 00:00:00', NULL, 0),
        (5001, 5001, 1, '2023-10-01 00:00:00', '2023-11-01 00:00:00', NULL, 0),
        (5002, 5001, 1, '2024-02-20 00:00:00', '2024-03-20 00:00:00', NULL, 0);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date,
         expires_date, cancellation_date, is_trial_period, is_in_intro_offer_period, as_of, receipt_id)
    SELECT 1, transaction_id, original, product, 3, unixepoch(starts) * 1000, unixepoch(expires) * 1000,
        unixepoch(canceled) * 1000, trial, 0, unixepoch('2024-03-15') * 1000, 10
    FROM period;
    """

/// What the reports on subscriptions answer about those five.
@Suite struct SubscriptionReportsTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase(rows: rows) }

    private func answer(_ name: String, _ settings: (name: String, text: String)...) throws -> [String] {
        try database.rows(of: name, with: settings)
    }

    @Test("An upgraded period runs no more, its successor does; a retried and a refunded one don't")
    func active() throws {
        // February's end: 1001, 3001 by the year and 5001. 2001 is between two periods, 4001 is retried.
        let head = "Production,com.example.club"
        #expect(
            try answer("active-subscriptions", ("from", "2023-10")) == [
                "\(head),2023-10,(all),1,0,0,0,0,1,0,0,0,1", "\(head),2023-11,(all),0,0,0,0,0,-1,0,0,0,0",
                "\(head),2023-12,(all),0,0,0,0,0,0,0,0,0,0", "\(head),2024-01,(all),3,0,0,0,0,3,0,0,0,3",
                "\(head),2024-02,(all),3,0,0,1,0,0,0,0,0,3",
            ])
        #expect(
            try answer("active-subscriptions", ("from", "2024-02"), ("by", "product")) == [
                "\(head),2024-02,monthly,2,0,0,1,0,-1,0,0,0,2", "\(head),2024-02,yearly,1,0,0,0,0,1,0,0,0,1",
            ])
    }

    @Test("A refund in a period's last second takes that second from it, and nothing more")
    func untilRefund() throws {
        #expect(
            try Stored(database.path).lines(
                """
                SELECT transaction_id, period.access_ms / 1000 - unixepoch('2024-03-07'), period.fate
                FROM model_periods AS period
                JOIN purchase USING (purchase_id)
                WHERE transaction_id IN (1002, 1003) ORDER BY 1
                """) == ["1002|-2419200|renewed", "1003|86399|refunded"])
    }

    @Test("A trial is counted separately, at each month's last second")
    func activeTrial() throws {
        let trial = """
            UPDATE purchase SET purchase_date = unixepoch('2023-12-30') * 1000,
                expires_date = unixepoch('2024-01-08') * 1000 WHERE transaction_id = 1001;
            """
        let found = try SampleDatabase(rows: rows + trial).rows(of: "active-subscriptions", with: [("from", "2023-12")])
        #expect(found.first == "Production,com.example.club,2023-12,(all),0,1,0,0,0,0,0,0,0,0")
    }

    @Test(
        "What expires within the days asked is listed with what is retried, restored copy or not, from the newest day")
    func due() throws {
        let end = ",,,(none)"
        let asOf = "original,,,2024-03-15T00:00:00Z,,"
        let retried =
            "Production,com.example.club,4001,monthly,paid,2024-02-10T00:00:00Z,-34,billing_retry\(end),4001,\(asOf)"
        let soon = "Production,com.example.club,5001,monthly,paid,2024-03-20T00:00:00Z,5,untold\(end),5001,\(asOf)"
        let later = "Production,com.example.club,2001,monthly,paid,2024-03-31T07:30:00Z,16,untold\(end),2001,\(asOf)"
        #expect(try answer("renewals-due") == [retried, soon, later])
        #expect(try answer("renewals-due", ("days", "15")) == [retried, soon])
        // Ann presented the receipts that tell of the refunded period.
        let refunded =
            "Production,com.example.club,1001,monthly,paid,2024-03-08T00:00:00Z,-7,refunded\(end),ann,account,,,"
            + "2024-03-15T00:00:00Z,,"
        #expect(try answer("renewals-due", ("days", "7"), ("past", "8")) == [retried, refunded, soon])
    }

    @Test("Retention is of those whose fate is known, by plan lengths, and empty until all had the time")
    func retention() throws {
        let head = "Production,com.example.club,monthly,P1M"
        #expect(
            try answer("subscription-retention", ("periods", "2")) == [
                // Lost after a month; who came back in February is not retained.
                "\(head),2023-10,1,1,1,1,0.0,0.0,2024-01-30", "\(head),2023-10,2,1,0,0,0.0,0.0,2024-02-29",
                // 1001 is refunded in its second month, 2001 is in its second, and 4001 is retried.
                "\(head),2024-01,1,3,2,0,,,2024-05-01", "\(head),2024-01,2,3,1,1,,,2024-05-31",
                // Changed and running.
                "\(head),2024-02,1,1,1,0,,,2024-05-30", "\(head),2024-02,2,1,0,0,,,2024-06-29",
            ])
    }

    @Test("A trial with a paid period after it is converted")
    func trials() throws {
        #expect(
            try answer("trial-conversion") == [
                "Production,com.example.club,2024-01,(all),1,1,1.0,0,0,0,2024-01-15",
                "Production,com.example.club,2024-02,(all),0,0,,0,0,0,",
                "Production,com.example.club,2024-03,(all),0,0,,0,0,0,",
            ])
    }

    /// Churn of the months up to February, which is not over for 60 days; 4001 is retried in it.
    private func churn(january: String = "0,0,0,,,,0,0,0,0,0,0,0,0,", february: String) -> [String] {
        let head = "Production,com.example.club"
        return [
            "\(head),2023-10,0,0,0,,,,0,0,0,0,0,0,0,0,,2023-12-31",
            "\(head),2023-11,1,1,0,1.0,1.0,1.0,0,0,0,0,0,1,0,0,,2024-01-30",
            "\(head),2023-12,0,0,0,,,,0,0,0,0,0,0,0,0,,2024-03-01", "\(head),2024-01,\(january),2024-04-01",
            "\(head),2024-02,\(february),2024-04-30",
        ]
    }

    @Test("Neither an upgrade nor a renewal some hours late is churn; a payment that is retried is not yet")
    func churn() throws {
        #expect(
            try answer("subscription-churn", ("from", "2023-10"))
                == churn(february: "3,0,0,,0.0,0.3333,0,0,0,0,0,0,1,0,"))
    }

    @Test("A change names its successor, a refund is none")
    func changes() throws {
        #expect(
            try answer("plan-changes") == [
                "Production,com.example.club,2024-02,monthly,yearly,(none),1,0,0,0,1,1,0,",
                "Production,com.example.club,2024-03,monthly,yearly,(none),0,0,0,0,0,0,0,",
            ])
    }

    @Test("A refund in ten receipts is one, and an upgrade is none")
    func tenReceipts() throws {
        #expect(
            try answer("refund-owners", ("least", "1")) == [
                "Production,com.example.club,account,ann,(all),,1,1,2024-03-07,2024-03-07,0,,,"
                    + "ann,D1,2024-03-15,2024-03-15T00:00:00Z"
            ])
        let head = "Production,com.example.club"
        #expect(
            try answer("refunds", ("by", "delay"), ("from", "2024-02")) == [
                "\(head),2024-02,8 to 30 days,(none),none,4,1,,,,,0,2024-04-30",
                "\(head),2024-03,not refunded,(none),none,1,0,,,,,0,2024-05-31",
            ])
        #expect(
            try answer("refunds", ("by", "product"), ("from", "2024-01"), ("until", "2024-01")) == [
                // Restored once more under 4901, sold once; the trial is no sale.
                "\(head),2024-01,monthly,(none),none,3,0,,,,,0,2024-04-01"
            ])
    }

    @Test("A receipt from before the refund that is presented after it is listed")
    func presented() throws {
        // Two of the ten were created before the refund; none of them was presented after it.
        #expect(try answer("refund-owners", ("by", "purchase"), ("days", "0")) == [])
        let late = try SampleDatabase(
            rows: rows + "UPDATE submission SET submitted_at = unixepoch('2024-03-10') * 1000 WHERE receipt_id = 1;")
        let found = try late.rows(of: "refund-owners", with: [("by", "purchase"), ("days", "0")])
        #expect(
            found == [
                "Production,com.example.club,account,ann,1003,monthly,1,1,2024-03-07,2024-03-07,1,2024-03-10,2,"
                    + "ann,D1,2024-03-15,2024-03-15T00:00:00Z"
            ])
    }

    @Test("Money is counted by the price list, without which no price is known")
    func money() throws {
        let head = "Production,com.example.club"
        func revenue(_ database: SampleDatabase) throws -> [String] {
            try database.rows(of: "revenue", with: [("from", "2024-02")])
        }
        #expect(
            try revenue(database) == [
                "\(head),2024-02,monthly,(all),(all),(none),none,3,,0,,,,,0,1",
                "\(head),2024-02,yearly,(all),(all),(none),none,1,,0,,,,,0,1",
                "\(head),2024-03,monthly,(all),(all),(none),none,1,,1,,,,,0,0",
                "\(head),2024-03,yearly,(all),(all),(none),none,0,,0,,,,,0,0",
            ])
        let list = """
            INSERT INTO listed_price VALUES
                ('monthly', 'EUR', 4490, NULL, '2020-01-01'), ('monthly', 'EUR', 4990, NULL, '2024-01-01'),
                ('monthly', 'EUR', 3990, NULL, ''), ('yearly', 'EUR', 39900, NULL, '');
            """
        let listed = try SampleDatabase(rows: rows + list)
        #expect(
            try revenue(listed) == [
                // Of 3001's 29 days a second more than 14 and a half were left: 4990 × 1252798 ÷ 2505600.
                "\(head),2024-02,monthly,(all),(all),EUR,list,3,14.97,0,0.00,14.97,2.495,12.475,0,1",
                "\(head),2024-02,yearly,(all),(all),EUR,list,1,39.90,0,0.00,39.90,0.00,39.90,0,1",
                "\(head),2024-03,monthly,(all),(all),EUR,list,1,4.99,1,4.99,0.00,0.00,0.00,0,0",
                "\(head),2024-03,yearly,(all),(all),EUR,list,0,0.00,0,0.00,0.00,0.00,0.00,0,0",
            ])
        #expect(
            try listed.rows(of: "plan-changes") == [
                "\(head),2024-02,monthly,yearly,EUR,1,0,1,0,0,1,0,2.495",
                "\(head),2024-03,monthly,yearly,EUR,0,0,0,0,0,0,0,0.00",
            ])
        #expect(
            try listed.rows(of: "revenue", with: [("from", "2023-10"), ("until", "2023-10")]) == [
                "\(head),2023-10,monthly,(all),(all),EUR,list,1,4.49,0,0.00,4.49,0.00,4.49,0,1"
            ])
    }

    /// The answer of a report where one more period is known.
    private func answer(
        _ name: String, _ settings: (name: String, text: String)..., with period: String, original: String = "6001"
    ) throws -> [String] {
        let more = """
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, product_type, is_trial_period,
                 is_in_intro_offer_period, as_of, receipt_id, purchase_date, expires_date, cancellation_date)
            SELECT 1, 6001, \(original), 1, 3, 0, 0, unixepoch('2024-03-15') * 1000, 10, \(period);
            """
        return try SampleDatabase(rows: rows + "\n" + more).rows(of: name, with: settings)
    }

    @Test("A period that expires before it begins never ran: it neither begins nor lapses")
    func churnOfNoTime() throws {
        let period = "unixepoch('2024-02-05') * 1000, unixepoch('2024-01-20') * 1000, NULL"
        #expect(
            try answer("subscription-churn", ("from", "2023-10"), with: period)
                == churn(february: "3,0,0,,0.0,0.3333,0,0,0,0,0,0,1,0,"))
        #expect(try answer("renewals-due", ("past", "60"), with: period).allSatisfy { !$0.contains(",6001,") })
    }

    @Test("A period that was canceled before it began ends when it begins, not in an earlier month")
    func churnOfCanceledBefore() throws {
        let period =
            "unixepoch('2024-02-05') * 1000, unixepoch('2024-03-05') * 1000, unixepoch('2024-01-25') * 1000"
        #expect(
            try answer("subscription-churn", ("from", "2023-10"), with: period)
                == churn(february: "3,0,0,,0.0,0.3333,0,0,0,0,0,0,1,1,"))
    }

    @Test("A subscription whose only period states no original begins and lapses like any other")
    func churnWithoutOriginal() throws {
        // 60 days before the newest receipt, to the second.
        let period = "unixepoch('2024-01-01') * 1000, unixepoch('2024-01-15') * 1000, NULL"
        #expect(
            try answer("subscription-churn", ("from", "2023-10"), with: period, original: "NULL")
                == churn(
                    january: "0,0,0,,,,0,0,0,0,0,0,0,1,", february: "3,0,0,,0.0,0.3333,0,0,0,0,0,0,1,0,"))
    }

    @Test("One whose later periods name the first, which states no original, begins once")
    func churnOfNamedOriginal() throws {
        let first =
            "6000, NULL, 1, 3, 0, 0, unixepoch('2024-03-15') * 1000, 10, unixepoch('2024-01-01') * 1000, "
            + "unixepoch('2024-02-01') * 1000, NULL"
        let period = "unixepoch('2024-02-01') * 1000, unixepoch('2024-02-15') * 1000, NULL UNION ALL SELECT 1, \(first)"
        // Its second period is retried, like 4001's.
        #expect(
            try answer("subscription-churn", ("from", "2023-10"), with: period, original: "6000")
                == churn(february: "4,0,0,,0.0,0.5,0,0,0,0,0,0,2,0,"))
    }
}
