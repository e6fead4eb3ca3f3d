-- subscription-retention: Retention of subscriptions by cohort and period
-- Of the subscriptions whose first paid period began in a month, how many paid for a second, a third period, and so on?
--
-- Grain: one row per environment, bundle_id, product_id, cohort, period
--
-- Parameters:
--   :environment  environments     Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle           all                       bundle identifier of the app; or all
--   :periods      integer(0..400)  12                        last period shown; the first paid period is 0
--   :from         month            2008-01                   first cohort
--   :until        month(:from..)   9999-12                   last cohort
--
-- Columns:
--   environment  text                    environment of the subscriptions
--   bundle_id    text                    bundle identifier of the app
--   product_id   text                    product that the subscription began with
--   cohort       month                   month in which the first paid period began, in UTC
--   period       integer                 renewals of the paid period: 0 is the first
--   known        integer(subscriptions)  of the cohort, those whose fate in this period is known
--   retained     integer(subscriptions)  of these, those that paid for the period
--   retention    share                   retained per known
--
-- Chart: lines  x=period  y=retention  series=cohort
--
-- Notes:
--   A subscription that still runs has not yet been asked for its next period, and is
--   known only for the periods that it paid. So the shares of young cohorts rest on
--   few subscriptions; known says on how many.
--   Periods are counted, not months: a yearly period is one. Introductory periods
--   count as paid, free trials do not. A period that was refunded counts as paid;
--   the reports on refunds tell of it. Whoever came back after a lapse goes on
--   counting. Copies that restores made count once.
--
-- Example:
--   receiptmill report subscription-retention --database mill.sqlite --param from=2024-01

WITH cohorts AS (
    SELECT
        coalesce(subscription_cohorts.environment, '(none)') AS environment,
        coalesce(subscription_cohorts.bundle_id, '(none)') AS bundle_id,
        coalesce(subscription_cohorts.first_product_id, '(none)') AS product_id,
        calendar.month AS cohort,
        subscription_cohorts.paid_periods,
        subscription_cohorts.is_running,
        sum(subscription_cohorts.subscriptions) AS subscriptions
    FROM subscription_cohorts
    JOIN calendar ON calendar.day_number = subscription_cohorts.first_paid_day
    WHERE calendar.month BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || subscription_cohorts.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', subscription_cohorts.bundle_id)
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 4, 5, 3, 6, 2, 1
),

counted AS (
    SELECT
        cohorts.environment,
        cohorts.bundle_id,
        cohorts.product_id,
        cohorts.cohort,
        numbers.n AS period,
        sum(
            CASE
                WHEN cohorts.paid_periods > numbers.n OR cohorts.is_running = 0 THEN cohorts.subscriptions
                ELSE 0
            END) AS known,
        sum(CASE WHEN cohorts.paid_periods > numbers.n THEN cohorts.subscriptions ELSE 0 END) AS retained
    FROM numbers
    CROSS JOIN cohorts
    WHERE numbers.n <= coalesce(CAST(:periods AS BIGINT), 12)
    GROUP BY 4, 5, 3, 2, 1
)

SELECT
    environment,
    bundle_id,
    product_id,
    cohort,
    period,
    known,
    retained,
    round(CAST(retained AS DOUBLE) / known, 4) AS retention
FROM counted
WHERE known > 0
ORDER BY 1, 2, 3, 4, 5;
