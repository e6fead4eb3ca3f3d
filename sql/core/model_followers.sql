-- The order of a subscription's periods: which comes before and which after. Copies and members' shares are no periods
-- of it.
--
-- Grain: one row per period
-- Key: purchase_id
--
-- Columns:
--   purchase_id           INTEGER  –  the period's transaction, by the loader's number
--   previous_purchase_id  INTEGER  –  the period before it, by its start
--   next_purchase_id      INTEGER  –  the period after it
WITH periods AS (
    SELECT
        purchase.purchase_id,
        purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        purchase.purchase_date AS start_ms,
        purchase.expires_date AS expires_ms,
        purchase.transaction_id
    FROM purchase
    LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
    WHERE purchase.expires_date > purchase.purchase_date
        AND coalesce(purchase.product_type, 3) = 3
        AND coalesce(copy.place, 1) = 1
        AND coalesce(terms.ownership, 'PURCHASED') NOT IN ('FAMILY_SHARED', 'ASSIGNED')
)

SELECT
    purchase_id,
    lag(purchase_id) OVER subscription AS previous_purchase_id,
    lead(purchase_id) OVER subscription AS next_purchase_id
FROM periods
WINDOW subscription AS (PARTITION BY original_id, app_id ORDER BY start_ms, expires_ms, transaction_id)
