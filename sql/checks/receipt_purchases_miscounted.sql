-- Receipts with more stored transactions than were read, or with none although some were read. A receipt may state one
-- transaction twice.
SELECT 'receipt ' || receipt_id || ': ' || purchase_count || ' read, '
    || (SELECT count(*) FROM receipt_purchase AS link WHERE link.receipt_id = receipt.receipt_id)
    || ' stored' AS offence
FROM receipt
WHERE (SELECT count(*) FROM receipt_purchase AS link WHERE link.receipt_id = receipt.receipt_id)
    NOT BETWEEN purchase_count > 0 AND purchase_count
