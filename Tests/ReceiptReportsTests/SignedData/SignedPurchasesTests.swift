import MillTestSupport
internal import TestSupport
internal import Testing

/// One refunded purchase, of whose revocation three signed transactions told: two of
/// the date that stands, one of another; and a claim of Xcode's, bought in year 1.
private let rows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
    VALUES (1, 'night.jsonl.gz', x'11', 1, 1, 1, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'club'), (2, 'Xcode', 'club');
    INSERT INTO product VALUES (1, 'noads');
    INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    VALUES
        (1, x'a1', 'signed_transaction', 'trusted', 1, 3000, 1, 1), (2, x'a2', 'signed_transaction', 'trusted', 1, 4000, 1, 1),
        (3, x'a3', 'signed_transaction', 'trusted', 1, 5000, 1, 1), (4, x'a4', 'app_receipt', 'trusted', 1, 6000, 1, 1),
        (5, x'a5', 'signed_transaction', 'untrusted_root', 2, 7000, 1, 1);
    INSERT INTO receipt_purchase VALUES (1, 10), (2, 10), (3, 10), (4, 10), (5, 0);
    INSERT INTO revocation VALUES
        (1, 2000, 1, 'REFUND_FULL', 1.0), (2, 2000, 0, 'REFUND_PRORATED', 0.5), (3, 3500, 1, NULL, NULL);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, purchase_date, cancellation_date, as_of, receipt_id)
    VALUES (1, 10, 10, 1, 1000, 2000, 6000, 4);
    INSERT INTO claimed_purchase
        (app_id, transaction_id, original_transaction_id, product_number, purchase_date, original_purchase_date, as_of,
         receipt_id, verdict, kind)
    VALUES (2, 0, 0, 1, 1000, -62135769600000, 7000, 5, 'untrusted_root', 'signed_transaction');
    INSERT INTO purchase_terms
        (app_id, transaction_id, verdict, price_milliunits, currency, storefront, ownership, is_upgraded, app_account_token,
         receipt_id, price_receipt_id)
    VALUES
        (1, 10, 'trusted', 1990, 'EUR', 'DEU', 'PURCHASED', 0, 't', 3, 1),
        (2, 0, 'untrusted_root', 990, 'USD', NULL, 'PURCHASED', NULL, NULL, 5, NULL);
    """

@Suite("What signed transactions tell of purchases") struct SignedPurchasesTests {
    private let stored: Stored
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(rows: rows)
        stored = Stored(database.path)
    }

    @Test("Terms, and of revocations the newest that states the cancellation that stands")
    func terms() throws {
        #expect(
            try stored.lines(
                """
                SELECT receipt_sha256, price_milliunits, currency, storefront, ownership, is_upgraded, revocation_reason,
                    revocation_type, revoked_share, app_account_token FROM purchases
                """) == ["a4|1990|EUR|DEU|PURCHASED|0|0|REFUND_PRORATED|0.5|t"])
    }

    @Test("A refund that was taken back leaves nothing of its revocation")
    func takenBack() throws {
        let database = try SampleDatabase(rows: rows + "UPDATE purchase SET cancellation_date = NULL;")
        #expect(
            try Stored(database.path).lines(
                "SELECT cancellation_date, revocation_reason, revocation_type, revoked_share FROM purchases")
                == ["-|-|-|-"])
    }

    @Test("Claims have the terms of their verdict, and dates of year 1 are none")
    func claims() throws {
        #expect(
            try stored.lines(
                "SELECT price_milliunits, currency, purchase_date, original_purchase_date FROM claimed_purchases")
                == ["990|USD|1970-01-01T00:00:01Z|-"])
    }
}
