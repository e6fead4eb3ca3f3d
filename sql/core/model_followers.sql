-- The order of a subscription's periods: which comes before and which after. Copies, members' shares and additions of
-- seats are no periods of it. Originals that continue one another are one subscription.
--
-- Here stands for how long the store retries a payment that fails at a period's end: 90 days of a plan that bills a
-- commitment by the month, else 60.
--
-- Grain: one row per period
-- Key: original_id, app_id, start_ms, expires_ms, purchase_id
-- Kept: no
--
-- Columns:
--   original_id           ANY      –   identifier of the first original transaction: the subscription
--   app_id                INTEGER  –   app and environment, by the loader's number
--   start_ms              INTEGER  ms  its start
--   expires_ms            INTEGER  ms  its planned end
--   purchase_id           INTEGER  –   the period's transaction, by the loader's number
--   previous_expires_ms   INTEGER  ms  planned end of the period before it, by its start
--   previous_purchase_id  INTEGER  –   that period
--   next_start_ms         INTEGER  ms  start of the period after it
--   next_purchase_id      INTEGER  –   that period
--   is_next_alike         INTEGER  0 or 1  1: that has the same product, billing plan and original transaction
--   is_next_switched      INTEGER  0 or 1  1: that has another original transaction
--   stated_id             ANY      –   the original transaction that the period itself states
--   billing_plan          TEXT     –   as in purchases; null of what is billed upfront
--   retry_limit_ms        INTEGER  ms  for how long the store retries a payment at the end of the period
--   previous_limit_ms     INTEGER  ms  the same of the period before
WITH periods AS (
    SELECT
        purchase.purchase_id,
        purchase.app_id,
        coalesce(switch.first_id, purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS stated_id,
        purchase.purchase_date AS start_ms,
        purchase.expires_date AS expires_ms,
        purchase.product_number,
        purchase.transaction_id,
        terms.billing_plan,
        CASE WHEN terms.billing_plan = 'MONTHLY' THEN 7776000000 ELSE 5184000000 END AS retry_limit_ms
    FROM purchase
    LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = purchase.purchase_id
    LEFT JOIN model_additions AS addition ON addition.purchase_id = purchase.purchase_id
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
    original_id,
    app_id,
    start_ms,
    expires_ms,
    purchase_id,
    lag(expires_ms) OVER subscription AS previous_expires_ms,
    lag(purchase_id) OVER subscription AS previous_purchase_id,
    lead(start_ms) OVER subscription AS next_start_ms,
    lead(purchase_id) OVER subscription AS next_purchase_id,
    CASE
        WHEN lead(product_number) OVER subscription = product_number
            AND lead(coalesce(billing_plan, '')) OVER subscription = coalesce(billing_plan, '')
            AND lead(stated_id) OVER subscription = stated_id
            THEN 1
        ELSE 0
    END AS is_next_alike,
    CASE WHEN lead(stated_id) OVER subscription <> stated_id THEN 1 ELSE 0 END AS is_next_switched,
    stated_id,
    billing_plan,
    retry_limit_ms,
    lag(retry_limit_ms) OVER subscription AS previous_limit_ms
FROM periods
WINDOW subscription AS (PARTITION BY original_id, app_id ORDER BY start_ms, expires_ms, transaction_id)
