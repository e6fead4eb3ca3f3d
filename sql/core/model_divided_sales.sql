-- What became of transactions that are refunded or revoked in parts, and of periods that several transactions make up:
-- items of the Advanced Commerce API, seats, and seats that were added later.
--
-- Access ends when the transaction is revoked or all its items are; that of a period of seats when every transaction of
-- it is revoked.
--
-- Grain: one row per transaction that states items or seats; seats that were added count with the head
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id          INTEGER  –           the transaction, by the loader's number
--   has_items            INTEGER  0 or 1      1: items are stated, whose refunds alone are money
--   canceled_ms          INTEGER  ms          when access ended
--   seats                INTEGER  seats       seats of the period, less those revoked; null where none are stated, and
--                                             of an addition
--   refund_ms            INTEGER  ms          the last refund of a part
--   refunded_milliunits  INTEGER  milliunits  what was refunded of parts
WITH items AS (
    SELECT
        document.purchase_id,
        CASE WHEN count(item.revoked_date) = count(*) THEN max(item.revoked_date) END AS canceled_ms
    FROM model_commerce_documents AS document
    JOIN commerce_item AS item ON item.receipt_id = document.receipt_id
    GROUP BY document.purchase_id
),

seated AS (
    SELECT
        coalesce(addition.head_id, terms.purchase_id) AS purchase_id,
        sum(terms.seats) AS seats,
        CASE WHEN count(purchase.cancellation_date) = count(*) THEN max(purchase.cancellation_date) END AS canceled_ms
    FROM model_terms AS terms
    JOIN purchase ON purchase.purchase_id = terms.purchase_id
    LEFT JOIN model_additions AS addition ON addition.purchase_id = terms.purchase_id
    WHERE terms.seats IS NOT NULL
        AND terms.is_shared = 0
    GROUP BY coalesce(addition.head_id, terms.purchase_id)
),

refunds AS (
    SELECT purchase_id, max(refund_ms) AS refund_ms, sum(milliunits) AS milliunits
    FROM model_partial_refunds
    GROUP BY purchase_id
),

divided AS (
    SELECT purchase_id FROM items
    UNION
    SELECT purchase_id FROM seated
    UNION
    SELECT purchase_id FROM refunds
)

SELECT
    divided.purchase_id,
    CASE WHEN items.purchase_id IS NULL THEN 0 ELSE 1 END AS has_items,
    CASE
        WHEN items.purchase_id IS NOT NULL THEN coalesce(purchase.cancellation_date, items.canceled_ms)
        WHEN seated.purchase_id IS NOT NULL THEN seated.canceled_ms
        ELSE purchase.cancellation_date
    END AS canceled_ms,
    seated.seats,
    refunds.refund_ms,
    refunds.milliunits AS refunded_milliunits
FROM divided
JOIN purchase ON purchase.purchase_id = divided.purchase_id
LEFT JOIN items ON items.purchase_id = divided.purchase_id
LEFT JOIN seated ON seated.purchase_id = divided.purchase_id
LEFT JOIN refunds ON refunds.purchase_id = divided.purchase_id
