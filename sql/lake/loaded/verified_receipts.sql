-- Receipts as decoded, except transaction receipts that were verified again with issuer certificates that other
-- receipts contain.
SELECT * FROM loaded_receipts
WHERE NOT EXISTS (SELECT 1 FROM reviewed_receipts WHERE reviewed_receipts.sha256 = loaded_receipts.sha256)
UNION ALL
SELECT * FROM reviewed_receipts
