/// Signed data of two apps, to be checked on paper.
///
/// | receipt | what | of | stands in |
/// | --- | --- | --- | --- |
/// | a1 | transaction 900, original 890 | club | a3, a4 |
/// | a2 | renewal info of 890, 2024-03-01 | no app | a3, a4 |
/// | a3, a4 | one notification, signed on 03-01 and again on 03-02 | club | lines 2 and 1 |
/// | a5 | renewal info of 890, 03-05 | no app | a6 |
/// | a6 | notification | club | line 3 |
/// | a7 | transaction 901, bad signature | club | a6 |
/// | a8, a9 | two tests without uuid | club | lines 4 and 5 |
/// | b0 | renewal info of 800, 2021, without environment | no app | line 6 |
/// | b1 | app receipt with 800, without environment | old | line 7 |
/// | b2 | renewal info of 890, 03-05, greater than a5 | no app | line 7, second |
/// | b3 | app transaction | club | line 9, second |
///
/// Rejected are the third of line 7, line 8, the first of line 9, and what stands in
/// the notification of line 3.
let signedRows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
    VALUES (1, 'night.jsonl.gz', x'11', 1, 1, 1, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'club'), (2, 'Production', ''), (3, '', ''), (4, '', 'old');
    INSERT INTO product VALUES (1, 'monthly'), (2, 'yearly');
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, app_item_id, purchase_count, bytes)
    VALUES
        (1, x'a1', 'signed_transaction', 'trusted', 1, unixepoch('2024-03-01') * 1000, NULL, 1, 1),
        (2, x'a2', 'signed_renewal', 'trusted', 2, unixepoch('2024-03-01') * 1000, NULL, 0, 1),
        (3, x'a3', 'notification', 'trusted', 1, unixepoch('2024-03-01') * 1000, 77, 0, 1),
        (4, x'a4', 'notification', 'trusted', 1, unixepoch('2024-03-02') * 1000, 77, 0, 1),
        (5, x'a5', 'signed_renewal', 'trusted', 2, unixepoch('2024-03-05') * 1000, NULL, 0, 1),
        (6, x'a6', 'notification', 'trusted', 1, unixepoch('2024-03-05') * 1000, 77, 0, 1),
        (7, x'a7', 'signed_transaction', 'bad_signature', 1, unixepoch('2024-03-05') * 1000, NULL, 1, 1),
        (8, x'a8', 'notification', 'trusted', 1, unixepoch('2024-03-06') * 1000, 77, 0, 1),
        (9, x'a9', 'notification', 'trusted', 1, unixepoch('2024-03-01') * 1000, 77, 0, 1),
        (10, x'b0', 'signed_renewal', 'trusted', 3, unixepoch('2021-11-01') * 1000, NULL, 0, 1),
        (11, x'b1', 'app_receipt', 'trusted', 4, unixepoch('2021-11-01') * 1000, NULL, 1, 1),
        (12, x'b2', 'signed_renewal', 'trusted', 2, unixepoch('2024-03-05') * 1000, NULL, 0, 1);
    INSERT INTO receipt_purchase VALUES (1, 900), (7, 901), (11, 800);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date, expires_date,
         as_of, receipt_id)
    VALUES
        (1, 900, 890, 1, 3, unixepoch('2024-03-01') * 1000, unixepoch('2024-04-01') * 1000,
         unixepoch('2024-03-01') * 1000, 1),
        (4, 800, 800, 1, 3, unixepoch('2021-10-01') * 1000, unixepoch('2021-11-01') * 1000,
         unixepoch('2021-11-01') * 1000, 11);
    INSERT INTO purchase_terms (app_id, transaction_id, verdict, receipt_id) VALUES (1, 900, 'trusted', 1);
    INSERT INTO receipt_part VALUES
        (3, 'transaction', 1), (3, 'renewal', 2), (4, 'transaction', 1), (4, 'renewal', 2),
        (6, 'transaction', 7), (6, 'renewal', 5);
    INSERT INTO notification
        (receipt_id, environment, notification_uuid, notification_type, subtype, status, consumption_request_reason)
    VALUES
        (3, 'Production', 'u1', 'DID_RENEW', NULL, 1, NULL), (4, 'Production', 'u1', 'DID_RENEW', NULL, 1, NULL),
        (6, 'Production', 'u2', 'DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED', 1, NULL),
        (8, 'Production', NULL, 'TEST', NULL, NULL, NULL), (9, 'Production', NULL, 'TEST', NULL, NULL, NULL);
    INSERT INTO renewal
        (receipt_id, environment, original_transaction_id, signed_at, product_number, auto_renew_product_number,
         auto_renew_status, renewal_price_milliunits, currency)
    VALUES
        (2, 'Production', 890, unixepoch('2024-03-01') * 1000, 1, 1, 1, 4990, 'EUR'),
        (5, 'Production', 890, unixepoch('2024-03-05') * 1000, 1, 2, 0, NULL, NULL),
        (12, 'Production', 890, unixepoch('2024-03-05') * 1000, 1, 1, 1, 5990, 'EUR'),
        (10, '', 800, unixepoch('2021-11-01') * 1000, 1, 1, 1, NULL, NULL);
    INSERT INTO submission (submission_id, receipt_id, submitted_at, device_check)
    VALUES
        (1 << 32 | 1, 4, unixepoch('2024-03-02 01:00:00') * 1000, 'no_hash'),
        (1 << 32 | 2, 3, unixepoch('2024-03-03') * 1000, 'no_hash'),
        (1 << 32 | 3, 6, unixepoch('2024-03-05') * 1000, 'no_hash'),
        (1 << 32 | 4, 8, NULL, 'no_hash'), (1 << 32 | 5, 9, NULL, 'no_hash'),
        (1 << 32 | 6, 10, NULL, 'no_hash'), (1 << 32 | 7, 11, NULL, 'no_hash'),
        ((1 << 52) + (1 << 32) + 7, 12, NULL, 'no_hash');
    INSERT INTO rejection (archive_id, line, document, reason, detail)
    VALUES
        (1, 7, 3, 'malformed_payload', ''), (1, 8, 1, 'no_receipt', ''), (1, 9, 1, 'malformed_container', ''),
        (1, 3, 1, 'malformed_payload', 'inside');
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    VALUES (13, x'b3', 'app_transaction', 'trusted', 1, unixepoch('2024-03-07') * 1000, 0, 1);
    INSERT INTO submission (submission_id, receipt_id, submitted_at, device_check)
    VALUES ((1 << 52) + (1 << 32) + 9, 13, NULL, 'no_hash');
    """
