/// One small world for all reports, to be checked on paper.
///
/// App com.example.cards became free with version 1.10; com.example.chess has
/// no first free version.
///
/// | receipt | app | original version | who presented it | transactions |
/// | --- | --- | --- | --- | --- |
/// | 1 | cards | 1.9 | account ann on device A1, twice, and on A2 | 101 gems, 102 gold |
/// | 2 | cards | 1.9 | account ann on device A2, refreshed receipt of 1 | 101, 102 again |
/// | 3 | cards | 1.10 | device B1, no account | 103 gems |
/// | 4 | cards | 1.10 | account cho | 104 gold, a free trial |
/// | 5 | cards | 1.10 | account dee | none |
/// | 6 | cards, sandbox | 1.0 | account eve | 106 gems |
/// | 7 | chess | none | account fay, and device X in another's place | 107 gold |
/// | 8 | cards | 1.9 | bad signature, account gus | none that count |
///
/// Transaction 101 was bought in the last second of January and refunded in the
/// last of February; 103 was canceled in the first second of March.
let sampleRows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at) VALUES (1, 'night.jsonl.gz', x'11', 1, 20, 20, 1, 0, 0);
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at) VALUES (2, 'night.jsonl.gz', x'22', 1, 20, 20, 1, 0, 0);
    INSERT INTO app VALUES
        (1, 'Production', 'com.example.cards'), (2, 'ProductionSandbox', 'com.example.cards'),
        (3, 'ProductionVPP', 'com.example.chess');
    INSERT INTO app_setting VALUES ('com.example.cards', 'ios', '1.10', '001.010');
    INSERT INTO version VALUES (1, '1.9', '001.009'), (2, '1.10', '001.010'), (3, '1.0', '001.000');
    INSERT INTO product VALUES (1, 'gems'), (2, 'gold');

    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, original_application_version_id,
         receipt_creation_date, opaque_value, device_hash, purchase_count, bytes)
    VALUES
        (1, x'a1', 'app_receipt', 'trusted', 1, 1, unixepoch('2024-02-10') * 1000, x'01', x'f1', 2, 1),
        (2, x'a2', 'app_receipt', 'trusted', 1, 1, unixepoch('2024-03-10') * 1000, x'01', x'f1', 2, 1),
        (3, x'a3', 'app_receipt', 'trusted', 1, 2, unixepoch('2024-03-01') * 1000, x'03', x'f3', 1, 1),
        (4, x'a4', 'app_receipt', 'trusted', 1, 2, unixepoch('2024-03-01') * 1000, x'04', x'f4', 1, 1),
        (5, x'a5', 'app_receipt', 'trusted', 1, 2, unixepoch('2024-03-01') * 1000, x'05', x'f5', 0, 1),
        (6, x'a6', 'app_receipt', 'trusted', 2, 3, unixepoch('2024-03-01') * 1000, x'06', x'f6', 1, 1),
        (7, x'a7', 'app_receipt', 'trusted', 3, NULL, unixepoch('2024-03-01') * 1000, x'07', x'f7', 1, 1),
        (8, x'a8', 'app_receipt', 'bad_signature', 1, 1, unixepoch('2024-03-01') * 1000, x'01', x'f1', 0, 1);

    INSERT INTO purchase
        (app_id, transaction_id, product_number, purchase_date, cancellation_date, is_trial_period,
         as_of, receipt_id)
    VALUES
        (1, 101, 1, unixepoch('2024-01-31 23:59:59') * 1000, unixepoch('2024-02-29 23:59:59') * 1000, 0, 0, 2),
        (1, 102, 2, unixepoch('2024-02-01 00:00:00') * 1000, NULL, 0, 0, 2),
        (1, 103, 1, unixepoch('2024-02-05') * 1000, unixepoch('2024-03-01 00:00:00') * 1000, NULL, 0, 3),
        (1, 104, 2, unixepoch('2024-02-20') * 1000, NULL, 1, 0, 4),
        (2, 106, 1, unixepoch('2024-02-20') * 1000, unixepoch('2024-02-21') * 1000, 0, 0, 6),
        (3, 107, 2, unixepoch('2024-02-29 23:59:59') * 1000, NULL, 0, 0, 7);
    INSERT INTO receipt_purchase VALUES
        (1, 101), (1, 102), (2, 101), (2, 102), (3, 103), (4, 104), (6, 106), (7, 107);

    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES
        (1 << 32 | 1, 1, 'A1-00', 'ann', unixepoch('2024-03-01') * 1000, 'match'),
        (1 << 32 | 2, 1, 'a100', 'ann', unixepoch('2024-03-02') * 1000, 'match'),
        (1 << 32 | 3, 1, 'A2-00', 'ann', unixepoch('2024-03-03') * 1000, 'mismatch'),
        (2 << 32 | 3, 2, 'A2-00', 'ann', unixepoch('2024-03-11') * 1000, 'mismatch'),
        (1 << 32 | 4, 3, 'B1-00', NULL, NULL, 'match'),
        (1 << 32 | 5, 4, 'C1-00', 'cho', unixepoch('2024-03-04') * 1000, 'match'),
        (1 << 32 | 6, 5, 'D1-00', 'dee', unixepoch('2024-03-04') * 1000, 'match'),
        (1 << 32 | 7, 6, 'E1-00', 'eve', unixepoch('2024-03-04') * 1000, 'match'),
        (1 << 32 | 8, 7, 'F1-00', 'fay', unixepoch('2024-03-04') * 1000, 'no_device_id'),
        (1 << 32 | 9, 7, 'X1-00', NULL, unixepoch('2024-03-05') * 1000, 'mismatch'),
        (1 << 32 | 10, 8, 'G1-00', 'gus', unixepoch('2024-03-05') * 1000, 'mismatch');
    """
