-- The order of a subscription's periods: the period before each, and the period after it. Copies, members' shares and
-- added seats are not periods. Original transactions that continue one another are one subscription.
--
-- Also the billing-retry window at a period's end: 90 days for plans that bill a commitment monthly, else 60.
--
-- Grain: one row per period
-- Key: original_id, app_id, start_ms, expires_ms, purchase_id
-- Kept: no
--
-- Columns:
--   original_id           ANY      –   identifier of the subscription: its first original transaction
--   app_id                INTEGER  –   app and environment, by the loader's number
--   start_ms              INTEGER  ms  start of the period
--   expires_ms            INTEGER  ms  planned end of the period
--   purchase_id           INTEGER  –   the period's transaction, by the loader's number
--   previous_expires_ms   INTEGER  ms  planned end of the previous period
--   previous_purchase_id  INTEGER  –   transaction of the previous period, by the loader's number
--   next_start_ms         INTEGER  ms  start of the next period
--   next_product_number   INTEGER  –   product of the next period, by the loader's number
--   next_variant          INTEGER  –   billing plan and original transaction of the next period, as a number like
--                                      variant
--   next_purchase_id      INTEGER  –   transaction of the next period, by the loader's number
--   stated_id             ANY      –   the original transaction that the period itself states
--   variant               INTEGER  –   number that distinguishes the billing plans and original transactions of a
--                                      subscription: 10 × the original transaction's place in its chain, plus 1 for a
--                                      monthly plan with a commitment, or 2 for an unknown plan
--   retry_limit_ms        INTEGER  ms  how long the App Store retries a failed payment at the period's end
WITH periods AS (
    SELECT
        purchase.purchase_id, purchase.app_id,
        coalesce(switch.first_id, purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS stated_id,
        purchase.purchase_date AS start_ms, purchase.expires_date AS expires_ms, purchase.product_number,
        purchase.transaction_id,
        10 * coalesce(switch.place, 0)
        + CASE WHEN terms.billing_plan IS NULL THEN 0 WHEN terms.billing_plan = 'MONTHLY' THEN 1 ELSE 2 END AS variant,
        CASE WHEN terms.billing_plan = 'MONTHLY' THEN 7776000000 ELSE 5184000000 END AS retry_limit_ms
    FROM purchase
    LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = purchase.purchase_id
    LEFT JOIN model_additions AS addition
        ON addition.purchase_id = CASE WHEN terms.additional_reason IS NOT NULL THEN purchase.purchase_id END
    LEFT JOIN model_switches AS switch
        ON switch.original_id = coalesce(purchase.original_transaction_id, purchase.transaction_id)
        AND switch.app_id = purchase.app_id
    WHERE purchase.expires_date > purchase.purchase_date
        AND coalesce(purchase.product_type, 3) = 3
        AND coalesce(copy.place, 1) = 1
        AND coalesce(terms.is_shared, 0) = 0
        AND addition.purchase_id IS NULL
)

SELECT
    original_id, app_id, start_ms, expires_ms, purchase_id,
    lag(expires_ms) OVER subscription AS previous_expires_ms,
    lag(purchase_id) OVER subscription AS previous_purchase_id,
    lead(start_ms) OVER subscription AS next_start_ms,
    lead(product_number) OVER subscription AS next_product_number,
    lead(variant) OVER subscription AS next_variant,
    lead(purchase_id) OVER subscription AS next_purchase_id,
    stated_id, variant, retry_limit_ms
FROM periods
WINDOW subscription AS (PARTITION BY original_id, app_id ORDER BY start_ms, expires_ms, transaction_id)
