-- What customers paid, by their cohort and age: own months since the first transaction, counted by the calendar (from the
-- 31st to the last day of a shorter month is less than a month). A refund counts at the age at which it was made.
--
-- Grain: one row per app, cohort month, age, currency, price source and day
-- Key: app_id, cohort_month, age, currency, price_source, day_number
--
-- Columns:
--   app_id             INTEGER  –           app and environment, by the loader's number
--   cohort_month       INTEGER  –           number of the month of the first transaction
--   age                INTEGER  months      own months since it
--   currency           TEXT     –           currency; (none) where no price is known
--   price_source       TEXT     –           signed, list, or none
--   day_number         INTEGER  –           number of the local day of the sale or refund
--   net_milliunits     INTEGER  milliunits  what was charged, less what was refunded
--   sales              INTEGER  sales       paid transactions
WITH events AS (
    SELECT
        original_id,
        app_id,
        coalesce(currency, '(none)') AS currency,
        price_source,
        start_ms AS ms,
        coalesce(price_milliunits, 0) AS net_milliunits,
        1 AS sales
    FROM model_sales
    WHERE is_shared = 0
        AND start_ms IS NOT NULL
        AND (price_milliunits > 0 OR (price_milliunits IS NULL AND is_trial = 0))
    UNION ALL
    SELECT original_id, app_id, coalesce(currency, '(none)'), price_source, refund_ms, -coalesce(refunded_milliunits, 0), 0
    FROM model_sales
    WHERE refund_ms IS NOT NULL
        AND start_ms IS NOT NULL
),

dated AS (
    SELECT
        events.app_id,
        customer.cohort_month,
        local_day.day_number,
        (local_day.month_number - customer.cohort_month)
        - CASE WHEN CAST(substr(local_day.day, 9, 2) AS INTEGER) < customer.first_day_of_month THEN 1 ELSE 0 END AS age,
        events.currency,
        events.price_source,
        events.net_milliunits,
        events.sales
    FROM events
    JOIN model_originals AS known ON known.original_id = events.original_id AND known.app_id = events.app_id
    JOIN model_customers AS customer ON customer.customer_id = known.customer_id
    JOIN model_utc_days AS day ON day.utc_day = CAST((events.ms - events.ms % 86400000) / 86400000 AS BIGINT)
    JOIN model_days AS local_day
        ON local_day.day_number = CASE WHEN events.ms < day.midnight_ms THEN day.earlier_day ELSE day.later_day END
)

SELECT
    app_id,
    cohort_month,
    CASE WHEN age < 0 THEN 0 ELSE age END AS age,
    currency,
    price_source,
    day_number,
    sum(net_milliunits) AS net_milliunits,
    sum(sales) AS sales
FROM dated
WHERE cohort_month IS NOT NULL
GROUP BY app_id, cohort_month, CASE WHEN age < 0 THEN 0 ELSE age END, currency, price_source, day_number
