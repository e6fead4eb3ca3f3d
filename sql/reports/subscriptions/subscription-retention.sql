-- subscription-retention: How long paying subscriptions survive
-- Of the subscriptions that were first paid in a month, what share is still there after one, two, … plan lengths?
--
-- Grain: one row per environment, bundle_id, product_id, plan, cohort, period
-- Aliases: retention, cohorts, survival
--
-- Parameters:
--   :periods  integer(1..60)  12  maximum number of plan lengths shown
--
-- Columns:
--   environment    text     environment of the subscriptions
--   bundle_id      text     bundle identifier of the app
--   product_id     text     product of the first paid period
--   plan           text     plan length of the first paid period: P1W, P1M, P2M, P3M, P6M, P1Y
--   cohort         month    month of the first payment
--   period         integer  number of plan lengths since the first payment
--   subscriptions  integer(subscriptions)  all subscriptions of the cohort
--   at_risk        integer(subscriptions)  subscriptions that were not lost before this period, and of which it is
--                                          known whether they were lost at it
--   lost           integer(subscriptions)  of at_risk, those lost at this period
--   retention      share    Π(1 − lost ÷ at_risk) up to this period (Kaplan–Meier estimate); empty until all
--                           subscriptions could have reached it, 60 days have passed, and no payment is being retried
--   active_share   share    subscriptions paid for or in a grace period at this period, including those that returned,
--                           ÷ subscriptions whose state is known; empty under the same conditions as retention
--   mature_on      date     day from which retention and active_share are shown
--
-- Shown: bundle_id, product_id, plan, cohort, period, subscriptions, at_risk, lost, retention, active_share
-- Triangle: rows=cohort columns=period value=retention
-- Chart: heat  x=period  y=retention  series=cohort  n=subscriptions
--
-- Panel:
--   place     7
--   title     Retention by plan
--   chart     lines  x=period  y=retention  series=plan  n=subscriptions
--   missing   No subscription is known in these months.
--
-- Notes:
--   In retention, a subscription that lapses is lost for good; if it returns, it counts in active_share alone. A change
--   of the product is no loss. A refund is a loss at the next planned end. A subscription whose fate is unknown leaves
--   at_risk where its documents end; the estimate assumes that it fares like the others.
--
-- Example:
--   receiptmill report subscription-retention --database mill.sqlite bundle=com.example.club from=all

WITH cohorts AS (
    SELECT
        survival.app_id, survival.cohort_month, survival.product_number, survival.plan_days,
        sum(survival.last_at_risk) AS subscriptions
    FROM apps
    JOIN model_survival AS survival ON survival.app_id = apps.app_id
    JOIN months ON months.month_number = survival.cohort_month
    GROUP BY survival.app_id, survival.cohort_month, survival.product_number, survival.plan_days
),

cells AS (
    SELECT
        cohorts.app_id, cohorts.cohort_month, cohorts.product_number, cohorts.plan_days, cohorts.subscriptions,
        plans.plan, month.month AS cohort,
        -- The rows of model_months serve as the list of lengths: number 24096 is January 2008.
        lengths.month_number - 24096 AS length,
        month.ends_ms + (lengths.month_number - 24096) * plans.plan_ms + 5184000000 AS mature_ms
    FROM cohorts
    JOIN internal_plans AS plans ON plans.plan_days = cohorts.plan_days
    JOIN model_months AS month ON month.month_number = cohorts.cohort_month
    JOIN model_months AS lengths ON lengths.month_number <= 24096 + coalesce(CAST(:periods AS BIGINT), 12)
),

running AS (
    SELECT
        cells.*, coalesce(survival.lost, 0) AS lost,
        cells.subscriptions - sum(coalesce(survival.last_at_risk, 0)) OVER so_far + coalesce(survival.last_at_risk, 0) AS at_risk,
        cells.subscriptions - sum(coalesce(survival.last_known, 0)) OVER so_far + coalesce(survival.last_known, 0) AS known,
        sum(coalesce(survival.active_change, 0)) OVER so_far AS active,
        sum(coalesce(survival.retrying, 0)) OVER so_far AS retrying
    FROM cells
    LEFT JOIN model_survival AS survival ON survival.app_id = cells.app_id AND survival.cohort_month = cells.cohort_month
        AND survival.product_number = cells.product_number AND survival.plan_days = cells.plan_days
        AND survival.length = cells.length
    WINDOW so_far AS (
        PARTITION BY cells.app_id, cells.cohort_month, cells.product_number, cells.plan_days ORDER BY cells.length
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),

-- The product is computed as a sum of logarithms. If all subscriptions at risk are lost, it is 0.
survived AS (
    SELECT
        running.*,
        sum(CASE WHEN length > 0 AND lost > 0 AND lost < at_risk THEN ln(1 - CAST(lost AS DOUBLE) / at_risk) ELSE 0.0 END)
            OVER so_far AS logarithm,
        max(CASE WHEN length > 0 AND lost > 0 AND lost >= at_risk THEN 1 ELSE 0 END) OVER so_far AS is_gone
    FROM running
    WINDOW so_far AS (
        PARTITION BY app_id, cohort_month, product_number, plan_days ORDER BY length
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)

SELECT
    apps.environment, apps.bundle_id, coalesce(product.product_id, '(none)') AS product_id,
    survived.plan, survived.cohort, survived.length AS period, survived.subscriptions, survived.at_risk, survived.lost,
    CASE
        WHEN survived.mature_ms > apps.horizon_ms OR survived.retrying > 0 THEN NULL
        WHEN survived.at_risk = 0 AND survived.is_gone = 0 AND survived.length > 0 THEN NULL
        WHEN survived.is_gone = 1 THEN 0.0
        -- 1e-9 makes up for the inexact logarithms, so that an exact half is rounded up.
        ELSE round(exp(survived.logarithm) + 1e-9, 4)
    END AS retention,
    CASE
        WHEN survived.mature_ms <= apps.horizon_ms AND survived.retrying = 0 AND survived.known > 0
            THEN round(CAST(survived.active AS DOUBLE) / survived.known, 4)
    END AS active_share,
    day.day AS mature_on
FROM survived
JOIN apps ON apps.app_id = survived.app_id
LEFT JOIN product ON product.product_number = survived.product_number
LEFT JOIN model_utc_days AS matured
    ON matured.utc_day = CAST((survived.mature_ms - survived.mature_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_days AS day
    ON day.day_number = CASE WHEN survived.mature_ms < matured.midnight_ms THEN matured.earlier_day ELSE matured.later_day END
WHERE survived.length > 0
ORDER BY 1, 2, 3, 4, 5, 6;
