-- Purchases with the final verdict of their receipt; see verified_receipts.
SELECT * FROM loaded_purchases
WHERE NOT EXISTS (
    SELECT 1 FROM reviewed_receipts WHERE reviewed_receipts.sha256 = loaded_purchases.receipt_sha256
)
UNION ALL
SELECT * FROM reviewed_purchases
