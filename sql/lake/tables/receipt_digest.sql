SELECT sha256, receipt_id
FROM receipt
