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
--   kind           text     paid or trial: kind of the period that was to be renewed
--   failed         integer(payments)  number of payments that failed
--   in_grace       integer(payments)  of the failed payments, those made within a grace period that a document states
--   in_retry       integer(payments)  of the failed payments, those made later, while the store retried
--   lost           integer(payments)  of the failed payments, those not made until the store gave up
--   open           integer(payments)  of the failed payments, those that the store still retries
--   unknown        integer(payments)  of the failed payments, those whose outcome no document states
--   recovery_rate  share    (in_grace + in_retry) ÷ (in_grace + in_retry + lost); empty until 60 days after the month,
--                           and while any payment is open
--   days           real     mean of the days from the planned end to the payment, each rounded up; empty while
--                           recovery_rate is
--
-- Total: failed, in_grace, in_retry, lost, open, unknown
-- Chart: lines  x=month  y=recovery_rate  n=failed  series=bundle_id
--
-- Notes:
--   A failure is known if a renewal info states it, or if the next period starts more than a day late and the customer
--   had not ended the subscription. A subscription for which no document states a retry, and which did not return, is
--   no failure here: see cause_unknown in the report subscription-churn. The store retries a payment for 60 days; for a
--   commitment billed by the month, 90 days without a grace period. A month without failed payments has a row, too,
--   from the first month with one on.
--
-- Example:
--   receiptmill report billing-recovery --database mill.sqlite

WITH series AS (
    SELECT app_id, kind, min(month_number) AS first_month FROM internal_failed_payments GROUP BY app_id, kind
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
    LEFT JOIN internal_failed_payments AS failed ON failed.app_id = series.app_id AND failed.kind = series.kind
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
