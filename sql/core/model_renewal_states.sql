-- What renewal infos said of a period last: each speaks of the period that ran, or had run last, when it was signed. One
-- that was signed within a day before the next period and states that period's end speaks of that one already. Periods
-- are those of the buyer; of a member's share only where it has an original transaction of its own.
--
-- Grain: one row per period of which a trusted renewal info speaks
-- Key: original_id, app_id, start_ms
--
-- Columns:
--   app_id                     INTEGER  –           app and environment, by the loader's number
--   original_id                ANY      –           identifier of the original transaction
--   start_ms                   INTEGER  ms          start of the period
--   signed_ms                  INTEGER  ms          when the last of them was signed
--   auto_renew_status          INTEGER  0 or 1      whether it renews
--   auto_renew_product_number  INTEGER  –           the product as which it renews
--   expiration_intent          INTEGER  –           why it expired: 1 customer, 2 billing, 3 price increase, 4 product gone, 5 other
--   is_in_billing_retry        INTEGER  0 or 1      1: the store tries to bill
--   renewal_ms                 INTEGER  ms          when it renews
--   renewal_price_milliunits   INTEGER  milliunits  at what price
--   currency                   TEXT     –           currency of that price
--   price_increase_status      INTEGER  0 or 1      whether the customer agreed to a higher price
--   grace_ms                   INTEGER  ms          end of the grace period that any of them told
--   retried_ms                 INTEGER  ms          when the last of them was signed that told of a billing retry
--   retry_over_ms              INTEGER  ms          when the next one after that was signed, which tells of none
WITH periods AS (
    SELECT
        app_id,
        original_id,
        start_ms,
        expires_ms,
        is_shared,
        min(is_shared) OVER (PARTITION BY original_id, app_id) AS whose
    FROM model_sales
    WHERE is_period = 1
        AND original_id IN (SELECT original_transaction_id FROM renewal)
),

told AS (
    SELECT app_id, original_id, start_ms AS ms, expires_ms, NULL AS receipt_id, NULL AS renewal_ms
    FROM periods
    WHERE is_shared = whose
    UNION ALL
    SELECT app.app_id, renewal.original_transaction_id, renewal.signed_at, NULL, renewal.receipt_id, renewal.renewal_date
    FROM renewal
    JOIN app ON app.environment = renewal.environment
),

ordered AS (
    SELECT
        told.*,
        max(CASE WHEN receipt_id IS NULL THEN ms END) OVER earlier AS start_ms,
        max(expires_ms) OVER earlier AS expiry_ms,
        min(CASE WHEN receipt_id IS NULL THEN ms END) OVER (
            PARTITION BY original_id, app_id ORDER BY ms
            RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS next_ms
    FROM told
    WINDOW earlier AS (PARTITION BY original_id, app_id ORDER BY ms RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),

placed AS (
    SELECT
        app_id,
        original_id,
        receipt_id,
        ms AS signed_ms,
        CASE
            WHEN next_ms <= ms + 86400000 AND renewal_ms > next_ms AND renewal_ms > expiry_ms + 3600000 THEN next_ms
            ELSE start_ms
        END AS start_ms
    FROM ordered
    WHERE receipt_id IS NOT NULL
),

ranked AS (
    SELECT
        placed.app_id,
        placed.original_id,
        placed.start_ms,
        placed.signed_ms,
        renewal.auto_renew_status,
        renewal.auto_renew_product_number,
        renewal.expiration_intent,
        renewal.is_in_billing_retry,
        renewal.renewal_date AS renewal_ms,
        renewal.renewal_price_milliunits,
        renewal.currency,
        renewal.price_increase_status,
        row_number() OVER (
            PARTITION BY placed.original_id, placed.app_id, placed.start_ms ORDER BY placed.signed_ms DESC, receipt.sha256 DESC
        ) AS place,
        max(renewal.grace_period_expires_date) OVER period AS grace_ms,
        max(CASE WHEN renewal.is_in_billing_retry = 1 THEN placed.signed_ms END) OVER period AS retried_ms
    FROM placed
    JOIN renewal ON renewal.receipt_id = placed.receipt_id
    JOIN receipt ON receipt.receipt_id = placed.receipt_id
    WHERE placed.start_ms IS NOT NULL
    WINDOW period AS (PARTITION BY placed.original_id, placed.app_id, placed.start_ms)
),

ended AS (
    SELECT
        ranked.*,
        min(CASE WHEN signed_ms > retried_ms THEN signed_ms END) OVER (PARTITION BY original_id, app_id, start_ms)
            AS retry_over_ms
    FROM ranked
)

SELECT
    app_id,
    original_id,
    start_ms,
    signed_ms,
    auto_renew_status,
    auto_renew_product_number,
    expiration_intent,
    is_in_billing_retry,
    renewal_ms,
    renewal_price_milliunits,
    currency,
    price_increase_status,
    grace_ms,
    retried_ms,
    retry_over_ms
FROM ended
WHERE place = 1
