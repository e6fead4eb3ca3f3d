-- Purchases and claims whose state no receipt of their app and verdict tells, or
-- at no time.
SELECT 'purchase ' || transaction_id || ' of receipt ' || coalesce(receipt_id, 'null') AS offence
FROM purchase AS told
WHERE as_of IS NULL OR NOT EXISTS (
    SELECT 1 FROM receipt JOIN receipt_purchase USING (receipt_id)
    WHERE receipt_id = told.receipt_id AND receipt.verdict = 'trusted' AND receipt.app_id = told.app_id
        AND receipt_purchase.transaction_id = told.transaction_id)
UNION ALL
SELECT 'claimed purchase ' || transaction_id || ' of receipt ' || coalesce(receipt_id, 'null')
FROM claimed_purchase AS told
WHERE as_of IS NULL OR NOT EXISTS (
    SELECT 1 FROM receipt JOIN receipt_purchase USING (receipt_id)
    WHERE receipt_id = told.receipt_id AND receipt.verdict = told.verdict AND receipt.kind = told.kind
        AND receipt.app_id = told.app_id AND receipt_purchase.transaction_id = told.transaction_id)
