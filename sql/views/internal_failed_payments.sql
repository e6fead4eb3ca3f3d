-- Renewal payments that failed, and whether they were made later.
--
-- One row per app, product, month of the planned end, kind, outcome, and days to the payment.
--
-- Columns:
--   app_id          –         –  app and environment, by the loader's number
--   product_number  –         –  product of the period; 0 if none is stated
--   month_number    –         –  number of the month in which the period was to expire
--   kind            –         –  paid or trial: kind of the period that was to be renewed
--   outcome         –         –  in_grace: paid within the grace period that a document states; in_retry: paid later,
--                                while the store retried; lost; open: the store still retries; or unknown
--   days            days      –  days from the planned end to the payment, rounded up; 0 if nothing was paid
--   payments        payments  –  number of payments that failed
CREATE VIEW internal_failed_payments AS
WITH failed AS (
    SELECT
        app_id,
        coalesce(product_number, 0) AS product_number,
        expires_month AS month_number,
        CASE WHEN kind = 'trial' THEN 'trial' ELSE 'paid' END AS kind,
        CASE
            WHEN fate = 'recovered' AND next_start_ms <= coalesce(grace_ms, 0) THEN 'in_grace'
            WHEN fate = 'recovered' THEN 'in_retry'
            WHEN fate = 'lapsed' THEN 'lost'
            WHEN fate = 'retrying' THEN 'open'
            ELSE 'unknown'
        END AS outcome,
        CASE
            WHEN fate = 'recovered'
                THEN CAST(
                    floor(CAST(next_start_ms - expires_ms + 86399999 AS DOUBLE) / CAST(86400000 AS DOUBLE)) AS BIGINT
                )
            ELSE 0
        END AS days
    FROM model_periods
    WHERE expires_month IS NOT NULL
        AND (
            fate = 'recovered'
            OR (fate = 'lapsed' AND cause = 'billing')
            OR (fate IN ('retrying', 'unknown') AND (is_in_billing_retry = 1 OR grace_ms IS NOT NULL))
        )
)

SELECT app_id, product_number, month_number, kind, outcome, days, count(*) AS payments
FROM failed
GROUP BY app_id, product_number, month_number, kind, outcome, days;
