-- trial-conversion: Trials that become paid subscriptions
-- Of the free trials that began in a month, what share was paid for in time?
--
-- Grain: one row per environment, bundle_id, month, product_id
-- Aliases: trials, trial-to-paid
--
-- Parameters:
--   :window  integer(0..60)  7  days after a trial's planned end within which a payment counts as its conversion
--   :by      text(app, product)  app  whether rows are split by product, too
--
-- Columns:
--   environment         text     environment of the trials
--   bundle_id           text     bundle identifier of the app
--   month               month    month in which the trials began
--   product_id          text     product of the trial; (all) unless :by is product
--   trials              integer(trials)  number of trials that began
--   converted           integer(trials)  trials whose first paid period began at most :window days after the planned
--                                        end of the trial
--   conversion          share    converted ÷ (trials − unknown); empty until :window days have passed for every trial
--   unknown             integer(trials)  trials for which no document states whether they were paid within the window
--   converted_later     integer(trials)  trials that were paid after the window
--   converted_refunded  integer(trials)  of the converted, those whose first paid period was refunded while it ran
--   mature_on           date     day from which conversion is shown; empty if no trial began
--
-- Total: trials, converted, unknown, converted_later, converted_refunded
-- Chart: lines  x=month  y=conversion  n=trials  series=bundle_id
--
-- Panel:
--   place     8
--   title     Trial conversion by app
--   chart     lines  x=month  y=conversion  series=bundle_id  n=trials
--   missing   No trial is known.
--
-- Notes:
--   A trial is a free period before any payment of the subscription; members' shares are no trials. A change to another
--   product that is paid converts the trial, too. A refund does not reduce converted. A month in which no trial began
--   has a row, too, from the first month with one on.
--
-- Example:
--   receiptmill report trial-conversion --database mill.sqlite window=14

WITH asked AS (
    SELECT
        trial.app_id,
        CASE WHEN coalesce(:by, 'app') = 'product' THEN trial.product_number ELSE 0 END AS product_number,
        trial.month_number, sum(trial.trials) AS trials,
        sum(CASE WHEN trial.paid_after_days <= coalesce(CAST(:window AS BIGINT), 7) THEN trial.trials ELSE 0 END) AS converted,
        sum(CASE WHEN trial.paid_after_days > coalesce(CAST(:window AS BIGINT), 7) AND trial.paid_after_days < 99999
            THEN trial.trials ELSE 0 END) AS converted_later,
        sum(CASE WHEN trial.paid_after_days = 99999 AND trial.known_days < coalesce(CAST(:window AS BIGINT), 7)
            THEN trial.trials ELSE 0 END) AS unknown,
        sum(CASE WHEN trial.paid_after_days <= coalesce(CAST(:window AS BIGINT), 7)
            THEN trial.is_refunded * trial.trials ELSE 0 END) AS converted_refunded,
        max(trial.last_expires_ms) + coalesce(CAST(:window AS BIGINT), 7) * 86400000 AS mature_ms
    FROM apps
    JOIN internal_trials AS trial ON trial.app_id = apps.app_id
    GROUP BY 1, 2, 3
),

series AS (
    SELECT app_id, product_number, min(month_number) AS first_month FROM asked GROUP BY app_id, product_number
)

SELECT
    apps.environment, apps.bundle_id, months.month,
    CASE WHEN coalesce(:by, 'app') = 'product' THEN coalesce(product.product_id, '(none)') ELSE '(all)' END AS product_id,
    coalesce(asked.trials, 0) AS trials, coalesce(asked.converted, 0) AS converted,
    CASE WHEN asked.mature_ms <= apps.horizon_ms AND months.month_number <= apps.complete_month
        THEN round(CAST(asked.converted AS DOUBLE) / nullif(asked.trials - asked.unknown, 0), 4) END AS conversion,
    coalesce(asked.unknown, 0) AS unknown, coalesce(asked.converted_later, 0) AS converted_later,
    coalesce(asked.converted_refunded, 0) AS converted_refunded, day.day AS mature_on
FROM series
JOIN apps ON apps.app_id = series.app_id
JOIN months ON months.month_number >= series.first_month AND months.month_number <= apps.last_month
LEFT JOIN asked ON asked.app_id = series.app_id AND asked.product_number = series.product_number
    AND asked.month_number = months.month_number
LEFT JOIN product ON product.product_number = series.product_number
LEFT JOIN model_utc_days AS matured
    ON matured.utc_day = CAST((asked.mature_ms - asked.mature_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_days AS day
    ON day.day_number = CASE WHEN asked.mature_ms < matured.midnight_ms THEN matured.earlier_day ELSE matured.later_day END
ORDER BY 1, 2, 3, 4;
