-- billing-recovery: Failed payments of renewals, and how many were recovered
-- How many renewals failed at billing, how many of them were paid in the end, and how soon?
--
-- Grain: one row per environment, bundle_id, month, kind
-- Aliases: billing-retry, grace, dunning, involuntary-churn
--
-- Columns:
--   environment    text     environment of the subscriptions
--   bundle_id      text     bundle identifier of the app
--   month          month    month in which the periods were to expire
--   kind           text     paid, or trial: what was to be renewed
--   failed         integer(payments)  payments that failed
--   in_grace       integer(payments)  of these, those paid during a grace period that the store told
--   in_retry       integer(payments)  of these, those paid later, while the store retried
--   lost           integer(payments)  of these, those not paid until the store gave up
--   open           integer(payments)  of these, those that are still retried
--   unknown        integer(payments)  of these, those of which no document tells the end
--   recovery_rate  share    (in_grace + in_retry) ÷ (in_grace + in_retry + lost); empty until 60 days after the month,
--                           and while any is open
--   days           real     mean of the begun days until a payment was made
--
-- Total: failed, in_grace, in_retry, lost, open, unknown
-- Chart: lines  x=month  y=recovery_rate  n=failed  series=bundle_id
--
-- Notes:
--   A failure is known where a renewal info tells it, or where the next period starts more than a day late and the
--   customer had not ended the subscription. Who was never told to be retried and did not come back is no failure here:
--   see cause_unknown in subscription-churn. The store retries for 60 days, a commitment's payment for 90 without
--   grace. A month in which none failed has a row, from the first month on.
--
-- Example:
--   receiptmill report billing-recovery --database mill.sqlite

WITH series AS (
    SELECT app_id, kind, min(month_number) AS first_month FROM model_failed_payments GROUP BY app_id, kind
),

counted AS (
    SELECT
        apps.environment, apps.bundle_id, months.month, series.kind,
        CASE WHEN months.ends_ms + 5184000000 <= apps.horizon_ms + 1000 THEN 1 ELSE 0 END AS is_mature,
        coalesce(sum(failed.payments), 0) AS failed,
        sum(CASE WHEN failed.outcome = 'in_grace' THEN failed.payments ELSE 0 END) AS in_grace,
        sum(CASE WHEN failed.outcome = 'in_retry' THEN failed.payments ELSE 0 END) AS in_retry,
        sum(CASE WHEN failed.outcome = 'lost' THEN failed.payments ELSE 0 END) AS lost,
        sum(CASE WHEN failed.outcome = 'open' THEN failed.payments ELSE 0 END) AS open,
        sum(CASE WHEN failed.outcome = 'unknown' THEN failed.payments ELSE 0 END) AS unknown,
        sum(failed.days * failed.payments) AS days
    FROM series
    JOIN apps ON apps.app_id = series.app_id
    JOIN months ON months.month_number >= series.first_month AND months.month_number <= apps.last_month
    LEFT JOIN model_failed_payments AS failed ON failed.app_id = series.app_id AND failed.kind = series.kind
        AND failed.month_number = months.month_number
    GROUP BY 1, 2, 3, 4, 5
)

SELECT
    environment, bundle_id, month, kind, failed, in_grace, in_retry, lost, open, unknown,
    CASE WHEN is_mature = 1 AND open = 0
        THEN round(CAST(in_grace + in_retry AS DOUBLE) / nullif(in_grace + in_retry + lost, 0), 4) END AS recovery_rate,
    CASE WHEN is_mature = 1 AND open = 0 THEN round(CAST(days AS DOUBLE) / nullif(in_grace + in_retry, 0), 1) END AS days
FROM counted
ORDER BY 1, 2, 3, 4;
