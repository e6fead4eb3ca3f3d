-- Receipts that cannot be found by the hash prefix of their installation, and hash prefixes that point to receipts with
-- another hash or without one.
SELECT 'receipt ' || receipt_id AS offence
FROM receipt
WHERE opaque_value IS NOT NULL AND device_hash IS NOT NULL
    AND NOT EXISTS (
        SELECT 1 FROM receipt_lineage AS found
        WHERE found.hash_prefix = substr(receipt.device_hash, 1, 6) AND found.receipt_id = receipt.receipt_id)
UNION ALL
SELECT 'lineage of receipt ' || receipt_id
FROM receipt_lineage AS found
WHERE NOT EXISTS (
    SELECT 1 FROM receipt
    WHERE receipt.receipt_id = found.receipt_id
        AND receipt.opaque_value IS NOT NULL AND found.hash_prefix = substr(receipt.device_hash, 1, 6))
