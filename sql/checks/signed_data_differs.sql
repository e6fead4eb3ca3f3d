-- Renewal infos, notifications and app transactions whose receipt is not trusted or of
-- another kind; trusted ones without what they tell; and revocations of receipts that
-- are no signed transactions.
WITH told(receipt_id, kind) AS (
    SELECT receipt_id, 'signed_renewal' FROM renewal
    UNION ALL
    SELECT receipt_id, 'notification' FROM notification
    UNION ALL
    SELECT receipt_id, 'app_transaction' FROM app_transaction
)

SELECT told.kind || ' of receipt ' || told.receipt_id AS offence
FROM told
JOIN receipt USING (receipt_id)
WHERE receipt.kind <> told.kind OR receipt.verdict <> 'trusted'
UNION ALL
SELECT 'revocation of receipt ' || receipt_id
FROM revocation
JOIN receipt USING (receipt_id)
WHERE receipt.kind <> 'signed_transaction'
UNION ALL
SELECT 'receipt ' || receipt_id || ', ' || kind
FROM receipt
WHERE verdict = 'trusted'
    AND CASE kind
        WHEN 'signed_renewal' THEN NOT EXISTS (
            SELECT 1 FROM renewal WHERE renewal.receipt_id = receipt.receipt_id)
        WHEN 'notification' THEN NOT EXISTS (
            SELECT 1 FROM notification WHERE notification.receipt_id = receipt.receipt_id)
        WHEN 'app_transaction' THEN NOT EXISTS (
            SELECT 1 FROM app_transaction WHERE app_transaction.receipt_id = receipt.receipt_id)
        ELSE 0
    END
