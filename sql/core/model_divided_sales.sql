-- Partial refunds and revocations, and periods that consist of several transactions: items of the Advanced Commerce
-- API, seats, and seats that were added later.
--
-- Access ends when the transaction or all its items are revoked; for a period of seats, when all its transactions are.
--
-- Grain: one row per transaction that states items or seats; seats that were added count with the head
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id          INTEGER  –           the transaction, by the loader's number
--   has_items            INTEGER  0 or 1      1: a document states items of the Advanced Commerce API; only their
--                                             refunds count as money
--   canceled_ms          INTEGER  ms          when a revocation ended access; null if none did
--   seats                INTEGER  seats       seats of the period, less those revoked; null for a transaction that adds
--                                             seats, and if no seats are stated
--   refund_ms            INTEGER  ms          time of the last partial refund
--   refunded_milliunits  INTEGER  milliunits  sum of the partial refunds
WITH stated AS (
    SELECT
        document.purchase_id, 1 AS has_items,
        CASE WHEN count(item.revoked_date) = count(*) THEN max(item.revoked_date) END AS items_canceled_ms,
        0 AS has_seats,
        CAST(NULL AS BIGINT) AS seats_canceled_ms,
        CAST(NULL AS BIGINT) AS seats,
        CAST(NULL AS BIGINT) AS refund_ms,
        CAST(NULL AS BIGINT) AS refunded_milliunits
    FROM model_commerce_documents AS document
    JOIN commerce_item AS item ON item.receipt_id = document.receipt_id
    GROUP BY document.purchase_id
    UNION ALL
    SELECT
        coalesce(addition.head_id, terms.purchase_id), 0, NULL, 1,
        CASE WHEN count(purchase.cancellation_date) = count(*) THEN max(purchase.cancellation_date) END,
        sum(terms.seats), NULL, NULL
    FROM model_terms AS terms
    JOIN purchase ON purchase.purchase_id = terms.purchase_id
    LEFT JOIN model_additions AS addition ON addition.purchase_id = terms.purchase_id
    WHERE terms.seats IS NOT NULL
        AND terms.is_shared = 0
    GROUP BY coalesce(addition.head_id, terms.purchase_id)
    UNION ALL
    SELECT purchase_id, 0, NULL, 0, NULL, NULL, max(refund_ms), sum(milliunits)
    FROM model_partial_refunds
    GROUP BY purchase_id
),

divided AS (
    SELECT
        purchase_id,
        max(has_items) AS has_items,
        max(items_canceled_ms) AS items_canceled_ms,
        max(has_seats) AS has_seats,
        max(seats_canceled_ms) AS seats_canceled_ms,
        max(seats) AS seats,
        max(refund_ms) AS refund_ms,
        max(refunded_milliunits) AS refunded_milliunits
    FROM stated
    GROUP BY purchase_id
)

SELECT
    divided.purchase_id, divided.has_items,
    CASE
        WHEN divided.has_items = 1 THEN coalesce(purchase.cancellation_date, divided.items_canceled_ms)
        WHEN divided.has_seats = 1 THEN divided.seats_canceled_ms
        ELSE purchase.cancellation_date
    END AS canceled_ms,
    divided.seats, divided.refund_ms, divided.refunded_milliunits
FROM divided
JOIN purchase ON purchase.purchase_id = divided.purchase_id
