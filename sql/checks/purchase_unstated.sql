-- Purchases, and purchases of untrusted receipts (claims), that their receipt does not state, or that have no time
-- (as_of). The receipt must be of the same app and verdict.
SELECT 'purchase ' || transaction_id || ' of receipt ' || coalesce(receipt_id, 'null') AS offence
FROM purchase AS stated
WHERE as_of IS NULL OR NOT EXISTS (
    SELECT 1 FROM receipt JOIN receipt_purchase USING (receipt_id)
    WHERE receipt_id = stated.receipt_id AND receipt.verdict = 'trusted' AND receipt.app_id = stated.app_id
        AND receipt_purchase.transaction_id = stated.transaction_id)
UNION ALL
SELECT 'claimed purchase ' || transaction_id || ' of receipt ' || coalesce(receipt_id, 'null')
FROM claimed_purchase AS stated
WHERE as_of IS NULL OR NOT EXISTS (
    SELECT 1 FROM receipt JOIN receipt_purchase USING (receipt_id)
    WHERE receipt_id = stated.receipt_id AND receipt.verdict = stated.verdict AND receipt.kind = stated.kind
        AND receipt.app_id = stated.app_id AND receipt_purchase.transaction_id = stated.transaction_id)
