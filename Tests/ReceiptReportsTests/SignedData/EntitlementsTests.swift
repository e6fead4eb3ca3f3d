import MillTestSupport
internal import ReceiptReports
internal import TestSupport
internal import Testing

/// What owners of one app may use on 2024-06-30, to be checked on paper.
///
/// | owner | what | so |
/// | --- | --- | --- |
/// | ann | bought noads, a season and gems | has the first two; gems are consumed |
/// | bob | got noads refunded | revoked |
/// | cho, dee, eve, fay, gus | a month that runs; one over, of which a renewal info tells grace, billing retry, the end, or nothing since | a state each |
/// | hal | a month that was refunded while it ran | revoked |
/// | ida, jon | bought a year; shares it, under an original that is ida's | one row each |
/// | kim | upgraded from month to year | the year alone |
/// | mia, ned | mia's month was upgraded to ned's year | mia's ended when it began |
/// | lea | presented a month; a notification told of the next | has the next |
/// | nobody | a notification told of noads | no owner |
/// | D1 | a device without account | a device |
/// | pam | an app receipt made after the month | expired |
private let rows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
    VALUES (1, 'night.jsonl.gz', x'11', 1, 1, 1, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'club'), (2, 'Production', '');
    INSERT INTO product VALUES (1, 'noads'), (2, 'season'), (3, 'monthly'), (4, 'yearly'), (5, 'gems');
    CREATE TEMP TABLE told (id, tx, original, product, type, starts, ends, canceled, ownership, upgraded, account);
    INSERT INTO told VALUES
        (1, 100, 100, 1, 0, '2024-01-05', NULL, NULL, 'PURCHASED', NULL, 'ann'),
        (2, 110, 110, 1, 0, '2024-01-05', NULL, '2024-02-01', 'PURCHASED', NULL, 'bob'),
        (3, 120, 120, 2, 2, '2024-03-01', NULL, NULL, 'PURCHASED', NULL, 'ann'),
        (4, 130, 130, 5, 1, '2024-03-02', NULL, NULL, 'PURCHASED', NULL, 'ann'),
        (5, 200, 200, 3, 3, '2024-06-10', '2024-07-10', NULL, 'PURCHASED', NULL, 'cho'),
        (6, 210, 210, 3, 3, '2024-05-20', '2024-06-20', NULL, 'PURCHASED', NULL, 'dee'),
        (7, 220, 220, 3, 3, '2024-05-01', '2024-06-01', NULL, 'PURCHASED', NULL, 'eve'),
        (8, 230, 230, 3, 3, '2024-05-01', '2024-06-01', NULL, 'PURCHASED', NULL, 'fay'),
        (9, 240, 240, 3, 3, '2024-05-10', '2024-06-10', NULL, 'PURCHASED', NULL, 'gus'),
        (10, 250, 250, 3, 3, '2024-06-15', '2024-07-15', '2024-06-20', 'PURCHASED', NULL, 'hal'),
        (11, 300, 300, 4, 3, '2024-01-01', '2025-01-01', NULL, 'PURCHASED', NULL, 'ida'),
        (12, 301, 300, 4, 3, '2024-01-01', '2025-01-01', NULL, 'FAMILY_SHARED', NULL, 'jon'),
        (13, 400, 400, 3, 3, '2024-06-01', '2024-07-01', NULL, 'PURCHASED', 1, 'kim'),
        (14, 401, 400, 4, 3, '2024-06-15', '2025-06-15', NULL, 'PURCHASED', NULL, 'kim'),
        (15, 420, 420, 3, 3, '2024-06-01', '2024-07-01', NULL, 'PURCHASED', 1, 'mia'),
        (16, 421, 420, 4, 3, '2024-06-16', '2025-06-16', NULL, 'PURCHASED', NULL, 'ned'),
        (17, 410, 410, 3, 3, '2024-05-01', '2024-06-01', NULL, 'PURCHASED', NULL, 'lea'),
        (18, 411, 410, 3, 3, '2024-06-01', '2024-07-01', NULL, 'PURCHASED', NULL, NULL),
        (19, 500, 500, 1, 0, '2024-04-01', NULL, NULL, 'PURCHASED', NULL, NULL),
        (20, 600, 600, 1, 0, '2024-04-02', NULL, NULL, NULL, NULL, 'device D1'),
        (21, 700, 700, 3, 3, '2024-05-01', '2024-06-01', NULL, NULL, NULL, 'pam');
    INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    SELECT id, CAST('d' || id AS BLOB), CASE WHEN id = 21 THEN 'app_receipt' ELSE 'signed_transaction' END, 'trusted', 1,
        unixepoch(CASE WHEN id = 21 THEN '2024-06-25' ELSE coalesce(canceled, starts) END) * 1000, 1, 1
    FROM told;
    INSERT INTO receipt_purchase SELECT id, tx FROM told;
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date, expires_date,
         cancellation_date, as_of, receipt_id)
    SELECT 1, tx, original, product, type, unixepoch(starts) * 1000, unixepoch(ends) * 1000, unixepoch(canceled) * 1000,
        unixepoch(starts) * 1000, id
    FROM told;
    INSERT INTO purchase_terms (app_id, transaction_id, verdict, ownership, is_upgraded, receipt_id)
    SELECT 1, tx, 'trusted', ownership, upgraded, id FROM told WHERE ownership IS NOT NULL;
    -- Two of them stand in notifications, which servers got: without account and device.
    INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    VALUES
        (31, x'31', 'notification', 'trusted', 1, unixepoch('2024-06-01') * 1000, 0, 1),
        (32, x'32', 'notification', 'bad_signature', 1, unixepoch('2024-04-01') * 1000, 0, 1),
        (33, x'33', 'app_transaction', 'trusted', 1, unixepoch('2024-06-30 12:00:00') * 1000, 0, 1);
    INSERT INTO receipt_part VALUES (31, 'transaction', 18), (32, 'transaction', 19);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    SELECT 1 << 32 | id, id, CASE WHEN id = 20 THEN 'D1' END, CASE WHEN id <> 20 THEN account END,
        unixepoch('2024-06-30') * 1000, 'no_hash'
    FROM told WHERE id NOT IN (18, 19);
    INSERT INTO submission (submission_id, receipt_id, submitted_at, device_check)
    VALUES (1 << 32 | 31, 31, NULL, 'no_hash'), (1 << 32 | 32, 32, NULL, 'no_hash'), (1 << 32 | 33, 33, NULL, 'no_hash');
    -- A stranger who presents another's transaction on the wrong device proves nothing.
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES (1 << 32 | 40, 1, 'X', 'zoe', NULL, 'mismatch');
    INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    SELECT 50 + original_transaction_id, CAST('r' || original_transaction_id AS BLOB), 'signed_renewal', 'trusted', 2,
        unixepoch(signed) * 1000, 0, 1
    FROM (
        SELECT 210 AS original_transaction_id, '2024-06-20' AS signed UNION ALL SELECT 220, '2024-06-02'
        UNION ALL SELECT 230, '2024-06-01' UNION ALL SELECT 240, '2024-05-10'
    );
    INSERT INTO renewal
        (receipt_id, environment, original_transaction_id, signed_at, product_number, auto_renew_status,
         expiration_intent, is_in_billing_retry, grace_period_expires_date)
    VALUES
        (260, 'Production', 210, unixepoch('2024-06-20') * 1000, 3, 1, 2, 1, unixepoch('2024-07-06') * 1000),
        (270, 'Production', 220, unixepoch('2024-06-02') * 1000, 3, 1, 2, 1, unixepoch('2024-06-17') * 1000),
        (280, 'Production', 230, unixepoch('2024-06-01') * 1000, 3, 0, 1, 0, NULL),
        (290, 'Production', 240, unixepoch('2024-05-10') * 1000, 3, 0, NULL, 0, NULL);
    """

@Suite("What owners may use") struct EntitlementsTests {
    private let stored: Stored
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(rows: rows)
        stored = Stored(database.path)
    }

    @Test("Every state, a family, upgrades, and notifications that nobody presented")
    func states() throws {
        #expect(
            try stored.lines(
                """
                SELECT owner, owner_kind, product_id, source_transaction_id, substr(starts, 1, 10), substr(ends, 1, 10),
                    ownership, state
                FROM entitlements ORDER BY CAST(source_transaction_id AS INTEGER), owner
                """) == [
                    "ann|account|noads|100|2024-01-05|-|PURCHASED|active",
                    "bob|account|noads|110|2024-01-05|2024-02-01|PURCHASED|revoked",
                    "ann|account|season|120|2024-03-01|-|PURCHASED|active",
                    "cho|account|monthly|200|2024-06-10|2024-07-10|PURCHASED|active",
                    "dee|account|monthly|210|2024-05-20|2024-07-06|PURCHASED|grace",
                    "eve|account|monthly|220|2024-05-01|2024-06-01|PURCHASED|billing_retry",
                    "fay|account|monthly|230|2024-05-01|2024-06-01|PURCHASED|expired",
                    "gus|account|monthly|240|2024-05-10|2024-06-10|PURCHASED|unknown",
                    "hal|account|monthly|250|2024-06-15|2024-06-20|PURCHASED|revoked",
                    "ida|account|yearly|300|2024-01-01|2025-01-01|PURCHASED|active",
                    "jon|account|yearly|301|2024-01-01|2025-01-01|FAMILY_SHARED|active",
                    "kim|account|yearly|401|2024-06-15|2025-06-15|PURCHASED|active",
                    "lea|account|monthly|411|2024-06-01|2024-07-01|PURCHASED|active",
                    "mia|account|monthly|420|2024-06-01|2024-06-16|PURCHASED|expired",
                    "ned|account|yearly|421|2024-06-16|2025-06-16|PURCHASED|active",
                    "-|none|noads|500|2024-04-01|-|PURCHASED|active",
                    "D1|device|noads|600|2024-04-02|-|-|active",
                    "pam|account|monthly|700|2024-05-01|2024-06-01|-|expired",
                ])
    }

    @Test(
        "The report of a day has the stretches of that day",
        arguments: ["2024-01-04", "2024-02-01", "2024-05-31", "2024-06-15", "2024-06-17", "2024-06-30", "2024-07-10"])
    func reportOfDay(day: String) throws {
        let report = try ReportCatalog().report(named: "entitled")
        let text = try database.output(of: report, with: [("environment", "all"), ("on", day)])
        let shown = CSVReader.rows(of: text).dropFirst().map { row in
            [2, 3, 4, 5, 6, 7, 9].map { row[$0].isEmpty ? "-" : row[$0] }.joined(separator: "|")
        }
        let moment = "unixepoch('\(day)') * 1000 + 86399999"
        let stretches = try stored.lines(
            """
            SELECT coalesce(owner, '(none)'), owner_kind, product_id, source_transaction_id, starts, ends, state
            FROM entitlement_spans
            WHERE from_ms <= \(moment) AND (until_ms IS NULL OR until_ms > \(moment))
            """)
        #expect(!shown.isEmpty || day < "2024-01-05")
        #expect(shown.sorted() == stretches.sorted())
    }

    @Test("As of the newest trusted receipt of the app")
    func asOf() throws {
        #expect(
            try stored.lines("SELECT DISTINCT environment, bundle_id, as_of FROM entitlements")
                == ["Production|club|2024-06-30T12:00:00Z"])
    }

    @Test("What nobody presented is the purchase of who presented another of the same original")
    func ownerPurchases() throws {
        #expect(
            try stored.lines(
                """
                SELECT DISTINCT owner, owner_kind, source_transaction_id FROM entitlement_spans
                WHERE source_transaction_id IN ('411', '500') ORDER BY 3
                """) == ["lea|account|411", "-|none|500"])
    }

    @Test("What stands inside a notification was seen with it, and without a time when that was signed")
    func seen() throws {
        #expect(
            try stored.lines(
                """
                SELECT transaction_id, first_seen_at, last_seen_at FROM purchases
                WHERE transaction_id IN ('411', '500') ORDER BY 1
                """) == [
                    "411|2024-06-01T00:00:00Z|2024-06-01T00:00:00Z", "500|2024-04-01T00:00:00Z|2024-04-01T00:00:00Z",
                ])
    }

    @Test("A family member's share makes no buyer, and what was refunded does not")
    func buyers() throws {
        #expect(
            try stored.lines("SELECT best, sum(owners) FROM model_owner_counts GROUP BY best ORDER BY best")
                == ["bought|13", "canceled|2", "none|1"])
    }

    @Test("A renewal info names no app, and makes no owner of one")
    func owners() throws {
        #expect(try stored.lines("SELECT count(*) FROM app_owners WHERE bundle_id IS NULL") == ["0"])
    }
}
