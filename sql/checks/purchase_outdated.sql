-- Purchases that a newer app receipt or signed transaction states differently: the newest document has to count. CROSS
-- JOIN makes SQLite read by transaction and then by receipt, never all receipts of an app for each purchase.
SELECT 'purchase ' || stated.transaction_id || ' of receipt ' || stated.receipt_id || ', stated later by receipt '
    || later.receipt_id AS offence
FROM purchase AS stated
CROSS JOIN receipt_purchase AS link ON link.transaction_id = stated.transaction_id
CROSS JOIN receipt AS later ON later.receipt_id = link.receipt_id
WHERE later.app_id = stated.app_id AND later.verdict = 'trusted'
    AND later.kind IN ('app_receipt', 'signed_transaction')
    AND later.receipt_creation_date > stated.as_of
