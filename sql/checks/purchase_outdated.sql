-- Purchases whose state a later app receipt tells otherwise: the receipt that was
-- created last has to win. CROSS JOIN keeps SQLite to this order: by transaction
-- and then by receipt, never all receipts of an app for each purchase.
SELECT 'purchase ' || told.transaction_id || ' of receipt ' || told.receipt_id || ', told later by receipt '
    || later.receipt_id AS offence
FROM purchase AS told
CROSS JOIN receipt_purchase AS link ON link.transaction_id = told.transaction_id
CROSS JOIN receipt AS later ON later.receipt_id = link.receipt_id
WHERE later.app_id = told.app_id AND later.verdict = 'trusted' AND later.kind = 'app_receipt'
    AND later.receipt_creation_date > told.as_of
