-- The kinds of subjects (account, device, installation, receipt) with the name :name. :prefix is the hexadecimal prefix
-- of an installation's hash, and :sha256 the digest of a receipt.
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
