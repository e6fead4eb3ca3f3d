import MillTestSupport
internal import TestSupport
internal import Testing

/// Signed purchases of one app, to be checked on paper.
///
/// | transaction | signed | who presented it |
/// | --- | --- | --- |
/// | 10, with a token | once; a2 is a1 with another signature | ann on D1, bob on D2 |
/// | 20, with a token | for each device | cho on C1 and on C2 |
/// | 30, and 31 that ida's family shares | once each | ida, jon |
///
/// A notification came twice, without account and device.
private let rows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
    VALUES (1, 'night.jsonl.gz', x'11', 1, 1, 1, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'club');
    INSERT INTO product VALUES (1, 'noads');
    INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    VALUES
        (1, x'a1', 'signed_transaction', 'trusted', 1, 5000, 1, 1), (2, x'a2', 'signed_transaction', 'trusted', 1, 5000, 1, 1),
        (3, x'a3', 'signed_transaction', 'trusted', 1, 7000, 1, 1), (4, x'a4', 'signed_transaction', 'trusted', 1, 8000, 1, 1),
        (5, x'a5', 'signed_transaction', 'trusted', 1, 5000, 1, 1), (6, x'a6', 'signed_transaction', 'trusted', 1, 5000, 1, 1),
        (7, x'a7', 'notification', 'trusted', 1, 5000, 0, 1);
    INSERT INTO receipt_purchase VALUES (1, 10), (2, 10), (3, 20), (4, 20), (5, 30), (6, 31);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date, as_of, receipt_id)
    VALUES
        (1, 10, 10, 1, 0, 1000, 5000, 2), (1, 20, 20, 1, 0, 1000, 8000, 4), (1, 30, 30, 1, 0, 1000, 5000, 5),
        (1, 31, 30, 1, 0, 1000, 5000, 6);
    INSERT INTO purchase_terms (app_id, transaction_id, verdict, ownership, app_account_token, receipt_id)
    VALUES
        (1, 10, 'trusted', 'PURCHASED', 'AB-1', 2), (1, 20, 'trusted', 'PURCHASED', 'ab-2', 4),
        (1, 30, 'trusted', 'PURCHASED', NULL, 5), (1, 31, 'trusted', 'FAMILY_SHARED', NULL, 6);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES
        (1 << 32 | 1, 1, 'D1', 'ann', 9000, 'no_hash'), (1 << 32 | 2, 2, 'D2', 'bob', 9000, 'no_hash'),
        (1 << 32 | 3, 3, 'C1', 'cho', 9000, 'no_hash'), (1 << 32 | 4, 4, 'C2', 'cho', 9000, 'no_hash'),
        (1 << 32 | 5, 5, 'I1', 'ida', 9000, 'no_hash'), (1 << 32 | 6, 6, 'J1', 'jon', 9000, 'no_hash'),
        (1 << 32 | 7, 7, NULL, NULL, 9000, 'no_hash'), (1 << 32 | 8, 7, NULL, NULL, 9001, 'no_hash');
    """

@Suite("Signed data that several present") struct SharedSignedDataTests {
    @Test("is found under a second signature; two devices of a customer and a family are not")
    func signals() throws {
        let database = try SampleDatabase(rows: rows)
        #expect(
            try Stored(database.path).lines(
                "SELECT signal, severity, account_id, receipt_sha256, transaction_id FROM fraud_signals ORDER BY 1, 3")
                == [
                    "shared_account_token|medium|ann|a1|10", "shared_account_token|medium|bob|a2|10",
                    "shared_receipt|medium|ann|a1|10", "shared_receipt|medium|bob|a2|10",
                    "shared_transaction|medium|ann|a1|10", "shared_transaction|medium|bob|a2|10",
                ])
    }

    @Test("One token is high from five accounts, or as it is set")
    func thresholds() throws {
        let database = try SampleDatabase(rows: rows + "INSERT INTO signal_setting VALUES ('token_accounts_high', 2);")
        #expect(
            try Stored(database.path).lines(
                "SELECT DISTINCT severity FROM fraud_signals WHERE signal = 'shared_account_token'") == ["high"])
    }
}
