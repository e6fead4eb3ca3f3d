-- Receipts that no line presents, neither directly nor inside another document.
SELECT 'receipt ' || lower(hex(sha256)) AS offence
FROM receipt
WHERE NOT EXISTS (SELECT 1 FROM submission WHERE submission.receipt_id = receipt.receipt_id)
    AND NOT EXISTS (
        SELECT 1 FROM receipt_part JOIN submission USING (receipt_id)
        WHERE receipt_part.part_receipt_id = receipt.receipt_id)
