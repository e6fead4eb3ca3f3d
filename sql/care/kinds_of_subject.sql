-- The kinds of subjects that are named :name. An installation is looked for by :prefix, the hexadecimal beginning of its
-- hash, and a receipt by its :sha256.
SELECT 'account' AS kind
WHERE EXISTS (SELECT 1 FROM submission WHERE account_id = :name)
UNION ALL
SELECT 'device'
WHERE EXISTS (SELECT 1 FROM submission WHERE device_id = :name)
UNION ALL
SELECT 'installation'
WHERE EXISTS (
    SELECT 1 FROM receipt_lineage JOIN receipt USING (receipt_id)
    WHERE lower(hex(hash_prefix)) = :prefix
        AND lower(hex(opaque_value)) || '-' || lower(hex(device_hash)) = :name)
UNION ALL
SELECT 'receipt'
WHERE EXISTS (SELECT 1 FROM receipt_digest WHERE sha256 = :sha256)
