-- Rows of signed data that contradict their document:
-- - renewal infos, notifications, app transactions, real-time requests and revoked seats whose document is not trusted,
--   or of another kind
-- - trusted renewal infos, notifications, app transactions and real-time requests without a row
-- - sales by the Advanced Commerce API whose document is not trusted, or neither a transaction nor a renewal info
-- - items without their sale, and refunds without their item
-- - revocations of documents that are no signed transactions
WITH told(receipt_id, kind) AS (
    SELECT receipt_id, 'signed_renewal' FROM renewal
    UNION ALL
    SELECT receipt_id, 'notification' FROM notification
    UNION ALL
    SELECT receipt_id, 'app_transaction' FROM app_transaction
    UNION ALL
    SELECT receipt_id, 'realtime_request' FROM realtime_request
    UNION ALL
    SELECT receipt_id, 'signed_transaction' FROM seat_revocation
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
        WHEN 'realtime_request' THEN NOT EXISTS (
            SELECT 1 FROM realtime_request WHERE realtime_request.receipt_id = receipt.receipt_id)
        ELSE 0
    END
UNION ALL
SELECT 'sale of receipt ' || receipt_id
FROM commerce
JOIN receipt USING (receipt_id)
WHERE receipt.kind NOT IN ('signed_transaction', 'signed_renewal') OR receipt.verdict <> 'trusted'
UNION ALL
SELECT 'item ' || item || ' of receipt ' || receipt_id
FROM commerce_item
WHERE NOT EXISTS (SELECT 1 FROM commerce WHERE commerce.receipt_id = commerce_item.receipt_id)
UNION ALL
SELECT 'refund ' || refund || ' of item ' || item || ' of receipt ' || receipt_id
FROM commerce_refund
WHERE NOT EXISTS (
    SELECT 1 FROM commerce_item
    WHERE commerce_item.receipt_id = commerce_refund.receipt_id AND commerce_item.item = commerce_refund.item)
