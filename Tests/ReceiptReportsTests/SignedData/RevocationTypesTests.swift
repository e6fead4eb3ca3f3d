import MillTestSupport
internal import TestSupport
internal import Testing

/// Purchases of 10.00, each canceled, of which a signed transaction told:
///
/// | transaction | type | share | given back |
/// | --- | --- | --- | --- |
/// | 1 | one that nobody knows yet | a quarter | 2.50 |
/// | 2 | one that nobody knows yet | none | the whole |
/// | 3 | `ASSIGNMENT_REVOKE` | none | nothing |
/// | 4 | `FAMILY_REVOKE` | none | nothing |
/// | 5 | `REFUND_PRORATED` | a half | 5.00 |
/// | 6 | none, and no reason | none | the whole |
private let rows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
    VALUES (1, 'night.jsonl.gz', x'11', 1, 6, 6, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'club');
    INSERT INTO product VALUES (1, 'noads');
    INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    SELECT value, CAST(printf('a%d', value) AS BLOB), 'signed_transaction', 'trusted', 1, 3000, 1, 1 FROM json_each('[1,2,3,4,5,6]');
    INSERT INTO receipt_purchase SELECT receipt_id, receipt_id FROM receipt;
    INSERT INTO revocation VALUES
        (1, 2000, NULL, 'REFUND_GOODWILL', 0.25), (2, 2000, NULL, 'REFUND_GOODWILL', NULL),
        (3, 2000, NULL, 'ASSIGNMENT_REVOKE', NULL), (4, 2000, NULL, 'FAMILY_REVOKE', NULL),
        (5, 2000, NULL, 'REFUND_PRORATED', 0.5), (6, 2000, NULL, NULL, NULL);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, purchase_date, cancellation_date, as_of, receipt_id)
    SELECT 1, receipt_id, receipt_id, 1, 1000, 2000, 3000, receipt_id FROM receipt;
    INSERT INTO purchase_terms (app_id, transaction_id, verdict, price_milliunits, currency, ownership, receipt_id)
    SELECT 1, receipt_id, 'trusted', 10000, 'EUR', 'PURCHASED', receipt_id FROM receipt;
    """

@Suite("A revocation of a type") struct RevocationTypesTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase(rows: rows) }

    @Test("that nobody knows yet is a refund, of its share, else of the whole, and only two types are none")
    func refunds() throws {
        let stored = Stored(database.path)
        #expect(
            try stored.lines("SELECT transaction_id, refunded_milliunits FROM sales ORDER BY 1") == [
                "1|2500", "2|10000", "3|-", "4|-", "5|5000", "6|10000",
            ])
    }

    @Test("that nobody knows yet is told by a report, and known ones are not")
    func report() throws {
        let settings = [("by", "subject"), ("finding", "unknown")]
        #expect(
            try database.rows(of: "findings", with: settings) == [
                "Production,club,unknown_revocation,REFUND_GOODWILL,1,2,,,1"
            ])
        #expect(try database.rows(of: "findings", with: settings + [("environment", "Sandbox")]) == [])
    }
}
