/// A family and a stranger, to be checked on paper.
///
/// | receipt | who | versions | transactions |
/// | --- | --- | --- | --- |
/// | 1 | account ann, device A1 | got as 1.9, now 1.10 | 11 noads |
/// | 2 | account kid, device K1 | got as 1.9, now 1.10 | 12 noads, family shared: an original of its own |
/// | 3 | account ann, device A2 | got as 1.9, now 1.10 | 13 noads, restored from 11 |
let familyRows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at) VALUES (1, 'night.jsonl.gz', x'11', 1, 20, 20, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'com.example.game'), (2, 'Xcode', 'com.example.game');
    INSERT INTO app_setting VALUES ('com.example.game', 'ios', NULL, NULL);
    INSERT INTO version VALUES (1, '1.9', '011 019'), (2, '1.10', '011 0210');
    INSERT INTO product VALUES (1, 'noads');
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, app_version_id, original_application_version_id,
         receipt_creation_date, opaque_value, device_hash, purchase_count, bytes)
    VALUES
        (1, x'a1', 'app_receipt', 'trusted', 1, 2, 1, unixepoch('2024-05-01') * 1000, x'01', x'f1', 1, 1),
        (2, x'a2', 'app_receipt', 'trusted', 1, 2, 1, unixepoch('2024-05-02') * 1000, x'02', x'f2', 1, 1),
        (3, x'a3', 'app_receipt', 'trusted', 1, 2, 1, unixepoch('2024-05-03') * 1000, x'03', x'f3', 1, 1);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date, as_of,
         receipt_id)
    VALUES
        (1, 11, 11, 1, 0, unixepoch('2024-05-01') * 1000, unixepoch('2024-05-01') * 1000, 1),
        (1, 12, 12, 1, 0, unixepoch('2024-05-02') * 1000, unixepoch('2024-05-02') * 1000, 2),
        (1, 13, 11, 1, 0, unixepoch('2024-05-03') * 1000, unixepoch('2024-05-03') * 1000, 3);
    INSERT INTO receipt_purchase VALUES (1, 11), (2, 12), (3, 13);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES
        (1 << 32 | 1, 1, 'A1', 'ann', unixepoch('2024-05-01 00:10:00') * 1000, 'match'),
        (1 << 32 | 2, 2, 'K1', 'kid', unixepoch('2024-05-02 00:10:00') * 1000, 'match'),
        (1 << 32 | 3, 3, 'A2', 'ann', unixepoch('2024-05-03 00:10:00') * 1000, 'match');
    """

/// Account bob restores ann's purchase, too.
let strangerRows = """
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, app_version_id, original_application_version_id,
         receipt_creation_date, opaque_value, device_hash, purchase_count, bytes)
    VALUES (4, x'a4', 'app_receipt', 'trusted', 1, 2, 1, unixepoch('2024-05-04') * 1000, x'04', x'f4', 1, 1);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date, as_of,
         receipt_id)
    VALUES (1, 14, 11, 1, 0, unixepoch('2024-05-03 12:00:00') * 1000, unixepoch('2024-05-04') * 1000, 4);
    INSERT INTO receipt_purchase VALUES (4, 14);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES (1 << 32 | 4, 4, 'B1', 'bob', unixepoch('2024-05-04 00:10:00') * 1000, 'match');
    """

/// Ann's first receipt, presented by devices of five others, too.
let copyRows = """
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    SELECT 1 << 32 | 10 + value, 1, 'T' || value, 't' || value, unixepoch('2024-05-10') * 1000 + value, 'mismatch'
    FROM json_each('[1, 2, 3, 4, 5]');
    DELETE FROM receipt_purchase; DELETE FROM purchase;
    """
