import MillTestSupport
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

    @Test("An upgraded period runs no more, its successor does")
    func activeAfterUpgrade() throws {
        #expect(
            try answer("subscriptions-active", ("on", "2024-02-15")) == [
                "2024-02-15,Production,com.example.club,monthly,paid,2,0,0",
                "2024-02-15,Production,com.example.club,yearly,paid,1,0,0",
            ])
    }

    @Test("A refund in the period's last second takes that second from it, and nothing more")
    func activeUntilRefund() throws {
        let monthly = "Production,com.example.club,monthly,paid"
        #expect(try answer("subscriptions-active", ("on", "2024-03-06")).first == "2024-03-06,\(monthly),3,0,0")
        #expect(try answer("subscriptions-active", ("on", "2024-03-07")).first == "2024-03-07,\(monthly),2,0,0")
    }

    @Test("Between time zones a subscription is in grace, where grace is given")
    func activeInGrace() throws {
        let monthly = "2024-02-29,Production,com.example.club,monthly,paid"
        #expect(try answer("subscriptions-active", ("on", "2024-02-29")).first == "\(monthly),2,0,0")
        #expect(
            try answer("subscriptions-active", ("on", "2024-02-29"), ("grace_days", "1")).first == "\(monthly),2,1,0")
    }

    @Test("A trial is counted separately")
    func activeTrial() throws {
        #expect(
            try answer("subscriptions-active", ("on", "2024-01-07")) == [
                "2024-01-07,Production,com.example.club,monthly,trial,1,0,0"
            ])
    }

    @Test("What expires within the days asked is listed, from the newest day known")
    func expiring() throws {
        #expect(
            try answer("subscriptions-expiring") == [
                "Production,com.example.club,5001,monthly,paid,2024-02-20T00:00:00Z,2024-03-20T00:00:00Z,4,"
                    + "(none),none,,,,2024-03-15T23:59:59Z"
            ])
    }

    @Test("What expired and was not renewed is listed once, restored copy or not")
    func expired() throws {
        #expect(
            try answer("subscriptions-expired", ("on", "2024-02-20")) == [
                "Production,com.example.club,4001,monthly,paid,2024-01-10T00:00:00Z,2024-02-10T00:00:00Z,10,"
                    + "(none),none,,,,2024-02-20T23:59:59Z,expired"
            ])
    }

    @Test("Retention counts whose fate is known: a running subscription has not been asked yet")
    func retention() throws {
        let head = "Production,com.example.club,monthly"
        #expect(
            try answer("subscription-retention", ("periods", "2")) == [
                "\(head),2023-10,0,1,1,1.0,0,0,0,2024-03-15T23:59:59Z",
                "\(head),2023-10,1,1,1,1.0,0,1,0,2024-03-15T23:59:59Z",
                "\(head),2024-01,0,3,3,1.0,0,0,0,2024-03-15T23:59:59Z",
                "\(head),2024-01,1,3,2,0.6667,1,2,0,2024-03-15T23:59:59Z",
                "\(head),2024-02,0,1,1,1.0,0,0,0,2024-03-15T23:59:59Z",
                "\(head),2024-02,1,1,1,1.0,0,1,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("A trial with a paid period after it is converted")
    func trials() throws {
        #expect(
            try answer("trial-conversion") == [
                "Production,com.example.club,monthly,2024-01,1,0,1,1.0,0,0,2024-03-15T23:59:59Z"
            ])
    }

    @Test("Neither an upgrade nor a gap within the grace is churn; a lapse waits for its grace to pass")
    func churn() throws {
        let head = "Production,com.example.club"
        #expect(
            try answer("subscription-churn") == [
                "\(head),2023-10,0,1,0,0,0,,0,2024-03-15T23:59:59Z",
                "\(head),2023-11,1,0,0,1,0,1.0,0,2024-03-15T23:59:59Z",
                "\(head),2023-12,0,0,0,0,0,,0,2024-03-15T23:59:59Z",
                "\(head),2024-01,0,3,0,0,0,,0,2024-03-15T23:59:59Z",
                "\(head),2024-02,3,1,1,1,0,0.3333,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("Without grace the gap between time zones is a lapse and a return, the refund a loss")
    func churnWithoutGrace() throws {
        let head = "Production,com.example.club"
        #expect(
            try answer("subscription-churn", ("grace_days", "0"), ("from", "2024-02")) == [
                "\(head),2024-02,3,1,1,2,0,0.6667,0,2024-03-15T23:59:59Z",
                "\(head),2024-03,3,0,1,1,1,0.3333,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("A return is listed with how long it took")
    func lapses() throws {
        let head = "Production,com.example.club,monthly"
        #expect(
            try answer("subscription-lapses") == [
                "\(head),2023-11,1,0,1,1.0,0,2024-03-15T23:59:59Z", "\(head),2024-02,1,0,0,0.0,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("An upgrade names its successor, a refund has none")
    func upgrades() throws {
        let head = "Production,com.example.club,monthly"
        #expect(
            try answer("subscription-upgrades") == ["\(head),2024-02,yearly,1", "\(head),2024-03,(none),1"])
    }

    @Test("A refund in ten receipts is one, and an upgrade is none")
    func tenReceipts() throws {
        #expect(
            try answer("refund-owners", ("least", "1")) == [
                "Production,com.example.club,account,ann,1,2024-03-07T23:59:59Z,2024-03-07T23:59:59Z,1,"
                    + "ann,D1,2024-03-15T00:01:00Z,2024-03-15T00:00:00Z"
            ])
        #expect(try answer("refund-delays") == ["Production,com.example.club,14 to 29,1,1.0,1.0"])
        #expect(
            try answer("refunds", ("from", "2024-01-01"), ("until", "2024-01-31")) == [
                // Restored once more under 4901, sold once.
                "Production,com.example.club,monthly,2024-01,4,1,0,0,0.0,0"
            ])
    }

    @Test("A receipt from before the refund that is presented after it is listed")
    func presented() throws {
        // Two of the ten were created before the refund; none of them was presented after it.
        #expect(try answer("refunds-presented") == [])
        let late = try SampleDatabase(
            rows: rows + "UPDATE submission SET submitted_at = unixepoch('2024-03-10') * 1000 WHERE receipt_id = 1;")
        let found = try late.rows(of: "refunds-presented")
        #expect(
            found == [
                "Production,com.example.club,account,ann,1003,monthly,2024-03-07T23:59:59Z,1,2024-03-10T00:00:00Z,2,"
                    + "ann,D1,2024-03-15T00:01:00Z,2024-03-15T00:00:00Z"
            ])
    }

    @Test("Money is counted by a list of prices, without which no price is known")
    func money() throws {
        #expect(
            try answer("revenue-at-risk") == [
                "Production,com.example.club,monthly,(none),,8,1,,,0.125",
                "Production,com.example.club,yearly,(none),,1,0,,,0.0",
            ])
        let list = try database.write(
            "price,product_id,currency,valid_from\n4.49,monthly,EUR,2020-01-01\n4.99,monthly,EUR,2024-01-01\n3.99,monthly,EUR,\n"
                + "\"39.90\",yearly,EUR,\n5.49,monthly,USD,\n", to: "prices.csv")
        var run = try ReportRun(ReportCatalog().report(named: "revenue-at-risk"))
        run.prices = try PriceList(path: list)
        var text = ""
        try run.write(fromDatabase: database.path, as: .csv) { text += $0 }
        #expect(
            text.split(separator: "\r\n").dropFirst() == [
                "Production,com.example.club,monthly,EUR,4.99,8,1,39.42,4.99,0.125",
                "Production,com.example.club,monthly,USD,5.49,8,1,43.92,5.49,0.125",
                "Production,com.example.club,yearly,EUR,39.9,1,0,39.9,0.0,0.0",
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
        let head = "Production,com.example.club"
        #expect(
            try answer("subscription-churn", with: period) == [
                "\(head),2023-10,0,1,0,0,0,,0,2024-03-15T23:59:59Z",
                "\(head),2023-11,1,0,0,1,0,1.0,0,2024-03-15T23:59:59Z",
                "\(head),2023-12,0,0,0,0,0,,0,2024-03-15T23:59:59Z",
                "\(head),2024-01,0,3,0,0,0,,0,2024-03-15T23:59:59Z",
                "\(head),2024-02,3,1,1,1,0,0.3333,0,2024-03-15T23:59:59Z",
            ])
        #expect(try answer("subscriptions-expired", ("on", "2024-01-25"), with: period) == [])
    }

    @Test("A period that was canceled before it began ends when it begins, not in an earlier month")
    func churnOfCanceledBefore() throws {
        let period =
            "unixepoch('2024-02-05') * 1000, unixepoch('2024-03-05') * 1000, unixepoch('2024-01-25') * 1000"
        let head = "Production,com.example.club"
        #expect(
            try answer("subscription-churn", ("from", "2024-01"), with: period) == [
                "\(head),2024-01,0,3,0,0,0,,0,2024-03-15T23:59:59Z",
                "\(head),2024-02,3,2,1,2,1,0.6667,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("A subscription whose only period states no original begins and lapses like any other")
    func churnWithoutOriginal() throws {
        let period = "unixepoch('2024-01-01') * 1000, unixepoch('2024-01-15') * 1000, NULL"
        let head = "Production,com.example.club"
        #expect(
            try answer("subscription-churn", ("from", "2024-01"), with: period, original: "NULL") == [
                "\(head),2024-01,0,4,0,1,0,,0,2024-03-15T23:59:59Z",
                "\(head),2024-02,3,1,1,1,0,0.3333,0,2024-03-15T23:59:59Z",
            ])
    }

    @Test("One whose later periods name the first, which states no original, begins once")
    func churnOfNamedOriginal() throws {
        let first =
            "6000, NULL, 1, 3, 0, 0, unixepoch('2024-03-15') * 1000, 10, unixepoch('2024-01-01') * 1000, "
            + "unixepoch('2024-02-01') * 1000, NULL"
        let period = "unixepoch('2024-02-01') * 1000, unixepoch('2024-02-15') * 1000, NULL UNION ALL SELECT 1, \(first)"
        let head = "Production,com.example.club"
        #expect(
            try answer("subscription-churn", ("from", "2024-01"), with: period, original: "6000") == [
                "\(head),2024-01,0,3,0,0,0,,0,2024-03-15T23:59:59Z",
                "\(head),2024-02,3,2,1,2,0,0.6667,0,2024-03-15T23:59:59Z",
            ])
    }
}
