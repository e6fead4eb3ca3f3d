-- Trials, by how many days after the planned end of the trial the first payment came.
--
-- One row per app, product, month of the trial's start, days to the payment, days known, and whether the payment was
-- refunded.
--
-- Columns:
--   app_id           –       –  app and environment, by the loader's number
--   product_number   –       –  product of the trial; 0 if none is stated
--   month_number     –       –  number of the month in which the trial started
--   paid_after_days  days    –  days from the trial's planned end to the first paid period, rounded up; 0 if that began
--                               earlier; 99999 if there is none
--   known_days       days    –  whole days after the trial's planned end for which it is known what followed, at most
--                               61; 99999 if the outcome is final; -1 if it is not known up to the planned end
--   is_refunded      0 or 1  –  1: the first paid period was refunded while it ran
--   trials           trials  –  number of trials that this row counts
--   last_expires_ms  ms      –  latest planned end of the trials that this row counts
CREATE VIEW internal_trials AS
WITH judged AS (
    SELECT
        subscription.app_id,
        coalesce(trial_product, 0) AS product_number,
        trial_month AS month_number,
        CASE
            WHEN paid_start_ms IS NULL THEN 99999
            WHEN paid_start_ms <= trial_expires_ms THEN 0
            ELSE CAST(floor(CAST(paid_start_ms - trial_expires_ms + 86399999 AS DOUBLE) / CAST(86400000 AS DOUBLE)) AS BIGINT)
        END AS paid_after_days,
        CASE
            WHEN paid_start_ms IS NOT NULL OR last_fate IN ('lapsed', 'refunded') THEN 99999
            WHEN coalesce(known.known_ms, 0) < trial_expires_ms THEN -1
            WHEN known.known_ms >= trial_expires_ms + 5270400000 THEN 61
            ELSE CAST(floor(CAST(known.known_ms - trial_expires_ms AS DOUBLE) / CAST(86400000 AS DOUBLE)) AS BIGINT)
        END AS known_days,
        is_paid_refunded AS is_refunded,
        trial_expires_ms
    FROM model_subscriptions AS subscription
    JOIN internal_known_subscriptions AS known
        ON known.original_id = subscription.original_id AND known.app_id = subscription.app_id
    WHERE trial_start_ms IS NOT NULL
        AND trial_month IS NOT NULL
)

SELECT
    app_id,
    product_number,
    month_number,
    paid_after_days,
    known_days,
    is_refunded,
    count(*) AS trials,
    max(trial_expires_ms) AS last_expires_ms
FROM judged
GROUP BY app_id, product_number, month_number, paid_after_days, known_days, is_refunded;
