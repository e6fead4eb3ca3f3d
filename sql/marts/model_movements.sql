-- Movements of monthly recurring revenue: the paid periods of each subscription that run at the last second of a month,
-- compared from month to month. Grace counts as paid, billing retry does not. A free period after a payment is no
-- churn: the subscription contracts to zero, and expands when it is paid again. A period whose price changes while it
-- runs counts once for each price.
--
-- Grain: one row per app, month, currency, price source, product and movement
-- Key: app_id, month_number, currency, price_source, product_number, movement
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id          INTEGER!  –              app and environment, by the loader's number
--   month_number    INTEGER!  –              number of the month whose end is compared with the end of the month before
--   currency        TEXT!     –              currency of the amounts; (none) if no price is known
--   price_source    TEXT!     –              signed: a signed transaction states the price; list: from your price list;
--                                            none: no price is known
--   product_number  INTEGER!  –              product of the period that the movement is about; 0 if none is stated
--   movement        TEXT!     –              new, expansion, contraction, churn, reactivation, unknown, moved_in (from
--                                            another currency or price source), or moved_out
--   milliunits      INTEGER!  milliunits     change of monthly recurring revenue; losses are negative
--   subscriptions   INTEGER!  subscriptions  change of the number of paid subscriptions
--   entries         INTEGER!  movements      number of movements that this row sums up
WITH free AS (
    SELECT original_id, app_id, start_month, access_month
    FROM model_periods
    WHERE kind = 'free'
        AND start_month < coalesce(access_month, 999999)
),

spans AS (
    SELECT
        period.app_id, period.original_id,
        coalesce(period.product_number, 0) AS product_number,
        coalesce(period.currency, '(none)') AS currency,
        period.price_source,
        coalesce(span.milliunits, period.month_milliunits, 0) AS milliunits,
        coalesce(span.first_month, period.start_month) AS first_month,
        coalesce(span.last_month, coalesce(period.access_month, 999999) - 1) AS last_month,
        period.start_ms, period.expires_ms, period.purchase_id, span.from_ms,
        CASE WHEN before.original_id IS NULL THEN 0 ELSE 1 END AS is_free_before,
        CASE WHEN behind.original_id IS NULL THEN 0 ELSE 1 END AS is_free_after
    FROM model_periods AS period
    LEFT JOIN model_price_spans AS span ON span.purchase_id = period.purchase_id
    LEFT JOIN (SELECT DISTINCT original_id, app_id, access_month FROM free) AS before
        ON before.original_id = period.original_id
        AND before.app_id = period.app_id
        AND before.access_month = period.start_month
    LEFT JOIN (SELECT DISTINCT original_id, app_id, start_month FROM free) AS behind
        ON behind.original_id = period.original_id
        AND behind.app_id = period.app_id
        AND behind.start_month = period.access_month
    WHERE period.kind = 'paid'
        AND period.start_month < coalesce(period.access_month, 999999)
        AND coalesce(span.first_month, 0) <= coalesce(span.last_month, 0)
),

neighbours AS (
    SELECT
        spans.*,
        lag(last_month) OVER subscription AS earlier_month,
        lag(currency) OVER subscription AS earlier_currency,
        lag(price_source) OVER subscription AS earlier_source,
        lag(milliunits) OVER subscription AS earlier_milliunits,
        lead(first_month) OVER subscription AS later_month,
        lead(currency) OVER subscription AS later_currency,
        lead(price_source) OVER subscription AS later_source
    FROM spans
    WINDOW subscription AS (PARTITION BY original_id, app_id ORDER BY start_ms, expires_ms, purchase_id, from_ms)
),

paid AS (
    SELECT
        neighbours.*,
        CASE WHEN subscription.last_fate = 'unknown' THEN subscription.last_access_month END AS unknown_month
    FROM neighbours
    LEFT JOIN model_subscriptions AS subscription
        ON subscription.original_id = CASE WHEN neighbours.later_month IS NULL THEN neighbours.original_id END
        AND subscription.app_id = neighbours.app_id
),

moved AS (
    -- The period begins, or its price, currency or price source changes.
    SELECT
        app_id, first_month AS month_number, currency, price_source, product_number,
        CASE
            WHEN earlier_month IS NULL THEN 'new'
            WHEN earlier_month < first_month - 1 AND is_free_before = 1 THEN 'expansion'
            WHEN earlier_month < first_month - 1 THEN 'reactivation'
            WHEN earlier_currency <> currency OR earlier_source <> price_source THEN 'moved_in'
            WHEN milliunits > earlier_milliunits THEN 'expansion'
            ELSE 'contraction'
        END AS movement,
        CASE
            WHEN earlier_month = first_month - 1 AND earlier_currency = currency AND earlier_source = price_source
                THEN milliunits - earlier_milliunits
            ELSE milliunits
        END AS milliunits,
        CASE
            WHEN earlier_month = first_month - 1 AND earlier_currency = currency AND earlier_source = price_source THEN 0
            ELSE 1
        END AS subscriptions
    FROM paid
    WHERE earlier_month IS NULL
        OR earlier_month < first_month - 1
        OR earlier_currency <> currency
        OR earlier_source <> price_source
        OR milliunits <> earlier_milliunits
    UNION ALL
    -- The period ends, or its currency or price source changes.
    SELECT
        app_id,
        last_month + 1,
        currency, price_source, product_number,
        CASE
            WHEN later_month = last_month + 1 THEN 'moved_out'
            WHEN is_free_after = 1 THEN 'contraction'
            WHEN unknown_month = last_month + 1 THEN 'unknown'
            ELSE 'churn'
        END,
        -milliunits,
        -1
    FROM paid
    WHERE later_month IS NULL
        OR later_month > last_month + 1
        OR later_currency <> currency
        OR later_source <> price_source
)

SELECT
    app_id, month_number, currency, price_source, product_number, movement,
    sum(milliunits) AS milliunits,
    sum(subscriptions) AS subscriptions,
    count(*) AS entries
FROM moved
WHERE month_number < 999999
GROUP BY app_id, month_number, currency, price_source, product_number, movement
