import MillTestSupport
internal import TestSupport
internal import Testing

/// Purchases of one app that restores copied, to be checked on paper. Three were
/// bought on 2024-02-01, and one of them was refunded.
///
/// | original | product | copy |
/// | --- | --- | --- |
/// | 500 | noads | 40: a smaller number than the original's |
/// | 600 | monthly, to 03-01 | 41 |
/// | 800 | levels | 801, restored on 02-18, and only that is told to be refunded, on 02-20 |
private let rows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
    VALUES (1, 'night.jsonl.gz', x'11', 1, 1, 1, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'club');
    INSERT INTO product VALUES (1, 'noads'), (2, 'monthly'), (3, 'levels');
    INSERT INTO version VALUES (1, '2.0', '002');
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, app_version_id, receipt_creation_date, purchase_count, bytes)
    VALUES (1, x'a1', 'app_receipt', 'trusted', 1, 1, unixepoch('2024-03-15') * 1000, 6, 1);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES (1 << 32 | 1, 1, 'D1', 'ann', unixepoch('2024-03-15 01:00:00') * 1000, 'match');
    WITH told(transaction_id, original, product, type, expires, canceled) AS (
        VALUES
            (500, 500, 1, 0, NULL, NULL), (40, 500, 1, 0, NULL, NULL),
            (600, 600, 2, 3, '2024-03-01', NULL), (41, 600, 2, 3, '2024-03-01', NULL),
            (800, 800, 3, 0, NULL, NULL), (801, 800, 3, 0, NULL, '2024-02-20')
    )
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date,
         expires_date, cancellation_date, as_of, receipt_id)
    SELECT 1, transaction_id, original, product, type,
        unixepoch(CASE transaction_id WHEN 801 THEN '2024-02-18' ELSE '2024-02-01' END) * 1000,
        unixepoch(expires) * 1000,
        unixepoch(canceled) * 1000, unixepoch('2024-03-15') * 1000, 1
    FROM told;
    """

@Suite("A purchase that a restore copied") struct RestoredCopiesTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase(rows: rows) }

    private func answer(_ name: String, _ settings: (name: String, text: String)...) throws -> [String] {
        try database.rows(of: name, with: settings)
    }

    @Test("counts once, whichever number is the smaller, and a refund of any copy is the purchase's")
    func byProduct() throws {
        #expect(
            try answer("refunds", ("by", "product")) == [
                "Production,club,2024-02,levels,(none),none,1,1,,,,,0,2024-04-30",
                "Production,club,2024-02,monthly,(none),none,1,0,,,,,0,2024-04-30",
                "Production,club,2024-02,noads,(none),none,1,0,,,,,0,2024-04-30",
                "Production,club,2024-03,levels,(none),none,0,0,,,,,0,2024-05-31",
                "Production,club,2024-03,monthly,(none),none,0,0,,,,,0,2024-05-31",
                "Production,club,2024-03,noads,(none),none,0,0,,,,,0,2024-05-31",
            ])
    }

    @Test("counts once by version")
    func byVersion() throws {
        let rows = try answer("refunds", ("by", "version")).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(rows.map { $0[3] + " " + $0[6] + " " + $0[7] } == ["2.0 3 1", "2.0 0 0"])
    }

    @Test("was sold when the first of its kind was, not when it was restored")
    func delay() throws {
        // From the first to the 20th.
        #expect(
            try answer("refunds", ("by", "delay")) == [
                "Production,club,2024-02,8 to 30 days,(none),none,3,1,,,,,0,2024-04-30",
                "Production,club,2024-03,not refunded,(none),none,0,0,,,,,0,2024-05-31",
            ])
        #expect(
            try Stored(database.path).lines("SELECT sold_at, refunded_at FROM sales WHERE product_id = 'levels'")
                == ["2024-02-01T00:00:00Z|2024-02-20T00:00:00Z"])
    }

    @Test("is the original's row where no copy holds more, else the copy's")
    func rowThatCounts() throws {
        #expect(
            try Stored(database.path).lines(
                "SELECT transaction_id FROM sales ORDER BY CAST(transaction_id AS INTEGER)") == ["500", "600", "801"])
    }
}
