/// One trusted receipt for each of four apps and environments: their newest documents are of 2024-03, 2025-01, 2023-01 and
/// 2022-06.
let filterRows = """
    INSERT INTO app VALUES
        (1, 'Production', 'com.example.cards'), (2, 'Sandbox', 'com.example.cards'), (3, '', 'com.example.chess'),
        (4, 'Production', 'com.example.chess');
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    VALUES
        (1, x'01', 'app_receipt', 'trusted', 1, unixepoch('2024-03-10 12:00:00') * 1000, 0, 1),
        (2, x'02', 'app_receipt', 'trusted', 2, unixepoch('2025-01-31 23:59:59') * 1000, 0, 1),
        (3, x'03', 'app_receipt', 'trusted', 3, unixepoch('2023-01-01') * 1000, 0, 1),
        (4, x'04', 'app_receipt', 'trusted', 4, unixepoch('2022-06-30') * 1000, 0, 1);
    """
