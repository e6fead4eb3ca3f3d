-- Transactions of receipts that are missing in purchase, or, for untrusted receipts, in claimed_purchase.
SELECT 'transaction ' || transaction_id || ' of receipt ' || receipt_id AS offence
FROM receipt_purchase AS link
JOIN receipt USING (receipt_id)
WHERE CASE receipt.verdict
    WHEN 'trusted' THEN NOT EXISTS (
        SELECT 1 FROM purchase
        WHERE purchase.app_id = receipt.app_id AND purchase.transaction_id = link.transaction_id)
    ELSE NOT EXISTS (
        SELECT 1 FROM claimed_purchase AS claim
        WHERE claim.app_id = receipt.app_id AND claim.transaction_id = link.transaction_id
            AND claim.verdict = receipt.verdict AND claim.kind = receipt.kind)
END
