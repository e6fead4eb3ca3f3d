-- The purchases of each user: those stated by a document that the user presented, directly or inside another document.
-- A restored copy counts as the purchase that it copies, an addition of seats as the period. Purchases from lines
-- without account and device, such as servers' logs, are held by user 0, even if others presented them, too.
--
-- Grain: one row per user and purchase
-- Key: purchase_id, user_id
-- Kept: no
--
-- Columns:
--   user_id       INTEGER  –       number of the user who presented the purchase; 0: a line without account and device
--                                  presented it
--   purchase_id   INTEGER  –       the purchase as in model_sales, by the loader's number
--   is_proven     INTEGER  0 or 1  1: the user presented the purchase on the device for which a document that states it
--                                  was made
--   presented_ms  INTEGER  ms      when the user first presented the purchase; null for user 0
WITH nameless AS (
    SELECT receipt_id
    FROM submission
    WHERE account_id IS NULL
        AND device_id IS NULL
        AND device_check <> 'mismatch'
),

presented AS (
    SELECT
        user_id, receipt_id, min(app_id) AS app_id, max(is_proven) AS is_proven, min(presented_ms) AS presented_ms
    FROM model_presentations
    GROUP BY receipt_id, user_id
    UNION ALL
    SELECT DISTINCT 0, receipt.receipt_id, receipt.app_id, 0, CAST(NULL AS BIGINT)
    FROM (
        SELECT receipt_id
        FROM nameless
        UNION ALL
        SELECT receipt_part.part_receipt_id
        FROM nameless
        JOIN receipt_part ON receipt_part.receipt_id = nameless.receipt_id
    ) AS told
    JOIN receipt ON receipt.receipt_id = told.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.kind NOT IN ('signed_renewal', 'realtime_request')
)

SELECT
    presented.user_id,
    coalesce(addition.head_id, copy.sale_id, purchase.purchase_id) AS purchase_id,
    max(presented.is_proven) AS is_proven,
    min(presented.presented_ms) AS presented_ms
FROM presented
JOIN receipt_purchase ON receipt_purchase.receipt_id = presented.receipt_id
JOIN purchase
    ON purchase.transaction_id = receipt_purchase.transaction_id
    AND purchase.app_id = presented.app_id
LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
LEFT JOIN model_additions AS addition ON addition.purchase_id = purchase.purchase_id
GROUP BY coalesce(addition.head_id, copy.sale_id, purchase.purchase_id), presented.user_id
