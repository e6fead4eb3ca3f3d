-- Partial refunds of a transaction:
-- - of items of the Advanced Commerce API, as the newest document states them;
-- - of seats: documents state only their number, so the amount is an estimate at the average price of the transaction's
--   seats, dated by the first document that states the higher number. A document that revokes the whole transaction is
--   not a partial refund.
-- If items are stated, only their refunds count: revoked seats of such a transaction are the same refund, stated a
-- second time.
--
-- Grain: one row per transaction and moment of a refund
-- Key: purchase_id, refund_ms
-- Kept: no
--
-- Columns:
--   purchase_id      INTEGER  –           the transaction, by the loader's number
--   refund_ms        INTEGER  ms          time of the partial refund
--   milliunits       INTEGER  milliunits  amount of the partial refund
--   is_estimate      INTEGER  0 or 1      1: a refund of seats, whose amount is an estimate
--   seats            INTEGER  seats       number of seats refunded; 0 for items
--   reason           TEXT     –           stated reason of an item's refund; if several, the alphabetically first; null
--                                         for seats
--   revocation_type  TEXT     –           stated type of an item's refund; if several, the alphabetically first; null
--                                         for seats
WITH counted AS (
    SELECT purchase.purchase_id, revoked.seats_revoked, min(receipt.receipt_creation_date) AS refund_ms
    -- A subquery, because SQLite would not read a plain table first.
    FROM (SELECT DISTINCT receipt_id, seats_revoked FROM seat_revocation) AS revoked
    JOIN receipt ON receipt.receipt_id = revoked.receipt_id
    JOIN receipt_purchase ON receipt_purchase.receipt_id = revoked.receipt_id
    JOIN purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = receipt.app_id
    LEFT JOIN revocation ON revocation.receipt_id = revoked.receipt_id
    WHERE coalesce(receipt.verdict, '') = 'trusted'
        AND receipt.receipt_creation_date IS NOT NULL
        AND revocation.receipt_id IS NULL
    GROUP BY purchase.purchase_id, revoked.seats_revoked
),

-- A refund of seats that was reversed lowers the number that the newest document states, so that number is the maximum.
bounded AS (
    SELECT
        counted.purchase_id, counted.refund_ms, terms.price_milliunits,
        nullif(purchase.quantity, 0) AS quantity,
        counted.seats_revoked AS stated_seats,
        CASE
            WHEN counted.seats_revoked > coalesce(terms.seats_revoked, 0) THEN coalesce(terms.seats_revoked, 0)
            ELSE counted.seats_revoked
        END AS seats
    FROM counted
    JOIN model_terms AS terms ON terms.purchase_id = counted.purchase_id
    JOIN purchase ON purchase.purchase_id = counted.purchase_id
    LEFT JOIN model_commerce_documents AS document ON document.purchase_id = counted.purchase_id
    WHERE terms.is_shared = 0
        AND document.purchase_id IS NULL
),

grown AS (
    SELECT
        bounded.*,
        coalesce(max(seats) OVER (
            PARTITION BY purchase_id ORDER BY refund_ms, stated_seats
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS seats_before
    FROM bounded
)

SELECT
    purchase_id, refund_ms,
    -- Each amount is the difference of two rounded sums, so that refunds of all seats add up to the whole price.
    sum(
        CAST(floor(CAST(price_milliunits AS DOUBLE) * seats / quantity + 0.5) AS BIGINT)
        - CAST(floor(CAST(price_milliunits AS DOUBLE) * seats_before / quantity + 0.5) AS BIGINT)
    ) AS milliunits,
    1 AS is_estimate,
    sum(seats - seats_before) AS seats,
    CAST(NULL AS VARCHAR(255)) AS reason,
    CAST(NULL AS VARCHAR(255)) AS revocation_type
FROM grown
WHERE seats > seats_before
GROUP BY purchase_id, refund_ms
UNION ALL
SELECT
    document.purchase_id,
    coalesce(refund.refund_date, document.signed_ms),
    sum(coalesce(refund.refund_milliunits, 0)),
    0, 0,
    min(refund.refund_reason),
    min(refund.refund_type)
FROM model_commerce_documents AS document
JOIN commerce_refund AS refund ON refund.receipt_id = document.receipt_id
WHERE coalesce(refund.refund_date, document.signed_ms) IS NOT NULL
GROUP BY document.purchase_id, coalesce(refund.refund_date, document.signed_ms)
