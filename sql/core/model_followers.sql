-- The order of a subscription's periods: which comes before and which after. Copies and members' shares are no periods
-- of it.
--
-- Grain: one row per period
-- Key: original_id, app_id, start_ms, expires_ms, purchase_id
-- Kept: no
--
-- Columns:
--   original_id           ANY      –   identifier of the original transaction: the subscription
--   app_id                INTEGER  –   app and environment, by the loader's number
--   start_ms              INTEGER  ms  its start
--   expires_ms            INTEGER  ms  its planned end
--   purchase_id           INTEGER  –   the period's transaction, by the loader's number
--   previous_expires_ms   INTEGER  ms  planned end of the period before it, by its start
--   previous_purchase_id  INTEGER  –   that period
--   next_start_ms         INTEGER  ms  start of the period after it
--   next_product_number   INTEGER  –   product of that
--   next_purchase_id      INTEGER  –   that period
WITH periods AS (
    SELECT
        purchase.purchase_id,
        purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        purchase.purchase_date AS start_ms,
        purchase.expires_date AS expires_ms,
        purchase.product_number,
        purchase.transaction_id
    FROM purchase
    LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = purchase.purchase_id
    WHERE purchase.expires_date > purchase.purchase_date
        AND coalesce(purchase.product_type, 3) = 3
        AND coalesce(copy.place, 1) = 1
        AND coalesce(terms.is_shared, 0) = 0
)

SELECT
    original_id,
    app_id,
    start_ms,
    expires_ms,
    purchase_id,
    lag(expires_ms) OVER subscription AS previous_expires_ms,
    lag(purchase_id) OVER subscription AS previous_purchase_id,
    lead(start_ms) OVER subscription AS next_start_ms,
    lead(product_number) OVER subscription AS next_product_number,
    lead(purchase_id) OVER subscription AS next_purchase_id
FROM periods
WINDOW subscription AS (PARTITION BY original_id, app_id ORDER BY start_ms, expires_ms, transaction_id)
