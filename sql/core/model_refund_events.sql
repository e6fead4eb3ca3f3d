-- Refunds, one by one: a sale that was refunded in parts has several. If the whole transaction is revoked in the end,
-- its last refund is the rest of the price.
--
-- Grain: one row per sale, moment of a refund, and whether that is an estimate
-- Key: purchase_id, refund_ms, is_estimate
-- Slice: purchase_id
-- Reference: purchase_id = model_sales(purchase_id)
--
-- Columns:
--   purchase_id      INTEGER!  –           the sale, by the loader's number
--   refund_ms        INTEGER!  ms          time of the refund
--   refund_day       INTEGER   –           number of the local day of the refund
--   place            INTEGER!  –           number of the refund among those of the sale, from 1
--   milliunits       INTEGER   milliunits  amount refunded; null if no price is known
--   is_whole         INTEGER!  0 or 1      1: the whole price was refunded at once
--   is_estimate      INTEGER!  0 or 1      1: a refund of seats; its amount is an estimate at the average price of the
--                                          transaction's seats
--   reason           TEXT!     –           app_issue, other, or untold (none is stated); for items the stated reason in
--                                          lower case; for seats seats_estimated
--   revocation_type  TEXT      –           `revocationType` of the transaction; for items the stated type of the refund
WITH parts AS (
    SELECT purchase_id, sum(milliunits) AS milliunits
    FROM model_partial_refunds
    GROUP BY purchase_id
),

events AS (
    SELECT
        sale.purchase_id, sale.refund_ms,
        sale.refunded_milliunits - coalesce(parts.milliunits, 0) AS milliunits,
        CASE WHEN parts.purchase_id IS NULL THEN sale.is_whole_refund ELSE 0 END AS is_whole,
        0 AS is_estimate,
        CASE sale.revocation_reason WHEN 1 THEN 'app_issue' WHEN 0 THEN 'other' ELSE 'untold' END AS reason,
        sale.revocation_type
    FROM model_sales AS sale
    LEFT JOIN parts ON parts.purchase_id = sale.purchase_id
    WHERE sale.refund_ms IS NOT NULL
        AND (parts.purchase_id IS NULL OR sale.refunded_milliunits > parts.milliunits)
    UNION ALL
    SELECT
        part.purchase_id, part.refund_ms, part.milliunits,
        CASE WHEN part.milliunits >= sale.price_milliunits THEN 1 ELSE 0 END,
        part.is_estimate,
        CASE WHEN part.is_estimate = 1 THEN 'seats_estimated' ELSE lower(coalesce(part.reason, 'untold')) END,
        part.revocation_type
    FROM model_partial_refunds AS part
    JOIN model_sales AS sale ON sale.purchase_id = part.purchase_id
)

SELECT
    events.purchase_id, events.refund_ms,
    CASE WHEN events.refund_ms < day.midnight_ms THEN day.earlier_day ELSE day.later_day END AS refund_day,
    row_number() OVER (PARTITION BY events.purchase_id ORDER BY events.refund_ms, events.is_estimate) AS place,
    events.milliunits, events.is_whole, events.is_estimate, events.reason, events.revocation_type
FROM events
LEFT JOIN model_utc_days AS day ON day.utc_day = CAST((events.refund_ms - events.refund_ms % 86400000) / 86400000 AS BIGINT)
