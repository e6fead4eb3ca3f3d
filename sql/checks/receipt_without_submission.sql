-- Receipts that no line presented.
SELECT 'receipt ' || lower(hex(sha256)) AS offence
FROM receipt
WHERE NOT EXISTS (SELECT 1 FROM submission WHERE submission.receipt_id = receipt.receipt_id)
