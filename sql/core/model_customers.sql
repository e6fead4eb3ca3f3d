-- Who pays: one customer for each account, app transaction, token or device of an app and environment, whatever the
-- currencies. A cohort is the month of the first transaction, a trial's included.
--
-- Grain: one row per customer with a transaction that is no member's share
-- Key: customer_id
--
-- Columns:
--   customer_id         INTEGER  –        number of the customer in these models
--   app_id              INTEGER  –        app and environment, by the loader's number
--   customer            TEXT     –        the customer's name
--   customer_kind       TEXT     –        account, app_transaction, token, device or original
--   first_ms            INTEGER  ms       first transaction
--   first_day           INTEGER  –        number of the local day of that
--   cohort_month        INTEGER  –        number of the month of that
--   first_day_of_month  INTEGER  –        day of the month of that, 1 to 31
--   first_paid_ms       INTEGER  ms       first paid transaction
--   first_offer         TEXT     –        offer of that, or full
--   storefront          TEXT     –        country of the store that a transaction states; of several the last by name
--   transactions        INTEGER  –        transactions, copies and shares apart
--   known_ms            INTEGER  ms       end of access of the earliest subscription whose fate is unknown; null where
--                                         every fate is known
WITH bought AS (
    SELECT
        known.customer_id,
        known.app_id,
        known.customer,
        known.customer_kind,
        sale.start_ms,
        CASE WHEN sale.price_milliunits = 0 OR (sale.price_milliunits IS NULL AND sale.is_trial = 1) THEN 1 ELSE 0 END
            AS is_free,
        sale.offer,
        sale.storefront,
        subscription.unknown_ms
    FROM model_sales AS sale
    JOIN model_originals AS known ON known.original_id = sale.original_id AND known.app_id = sale.app_id
    LEFT JOIN (
        SELECT app_id, original_id, last_access_ms AS unknown_ms FROM model_subscriptions WHERE last_fate = 'unknown'
    ) AS subscription ON subscription.original_id = sale.original_id AND subscription.app_id = sale.app_id
    WHERE sale.is_shared = 0
        AND sale.start_ms IS NOT NULL
),

gathered AS (
    SELECT
        customer_id,
        min(app_id) AS app_id,
        min(customer) AS customer,
        min(customer_kind) AS customer_kind,
        min(start_ms) AS first_ms,
        min(CASE WHEN is_free = 0 THEN start_ms END) AS first_paid_ms,
        max(storefront) AS storefront,
        count(*) AS transactions,
        min(unknown_ms) AS known_ms
    FROM bought
    GROUP BY customer_id
),

offered AS (
    SELECT gathered.customer_id, min(bought.offer) AS first_offer
    FROM gathered
    JOIN bought ON bought.customer_id = gathered.customer_id AND bought.start_ms = gathered.first_paid_ms AND bought.is_free = 0
    GROUP BY gathered.customer_id
)

SELECT
    gathered.customer_id,
    gathered.app_id,
    gathered.customer,
    gathered.customer_kind,
    gathered.first_ms,
    CASE WHEN gathered.first_ms < day.midnight_ms THEN day.earlier_day ELSE day.later_day END AS first_day,
    local_day.month_number AS cohort_month,
    CAST(substr(local_day.day, 9, 2) AS INTEGER) AS first_day_of_month,
    gathered.first_paid_ms,
    offered.first_offer,
    gathered.storefront,
    gathered.transactions,
    gathered.known_ms
FROM gathered
LEFT JOIN offered ON offered.customer_id = gathered.customer_id
LEFT JOIN model_utc_days AS day
    ON day.utc_day = CAST((gathered.first_ms - gathered.first_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_days AS local_day
    ON local_day.day_number = CASE WHEN gathered.first_ms < day.midnight_ms THEN day.earlier_day ELSE day.later_day END
