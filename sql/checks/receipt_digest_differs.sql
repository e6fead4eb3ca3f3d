-- Receipts that cannot be found by their digest, and digests that point to another receipt or to none.
SELECT 'receipt ' || receipt_id AS offence
FROM receipt
WHERE receipt_id IS NOT (SELECT found.receipt_id FROM receipt_digest AS found WHERE found.sha256 = receipt.sha256)
UNION ALL
SELECT 'digest of receipt ' || receipt_id
FROM receipt_digest AS found
WHERE NOT EXISTS (
    SELECT 1 FROM receipt WHERE receipt.receipt_id = found.receipt_id AND receipt.sha256 = found.sha256)
