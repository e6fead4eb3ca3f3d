-- subscription-churn: Subscriptions gained and lost by month
-- How many subscriptions began, lapsed and came back in each month, and what share was lost?
--
-- Grain: one row per environment, bundle_id, month
--
-- Parameters:
--   :environment  environments      Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle            all                       bundle identifier of the app; or all
--   :grace_days   integer(0..3650)  16                        days after its end within which a renewal still
--                                                             continues a subscription
--   :from         month             2008-01                   first month shown
--   :until        month(:from..)    9999-12                   last month shown
--
-- Columns:
--   environment        text                    environment of the subscriptions
--   bundle_id          text                    bundle identifier of the app
--   month              month                   month in UTC
--   active_at_start    integer(subscriptions)  subscriptions that ran into the month
--   began              integer(subscriptions)  subscriptions whose first period began
--   won_back           integer(subscriptions)  subscriptions that began again after a lapse
--   lapsed             integer(subscriptions)  subscriptions whose period ended without a renewal within the
--                                              grace
--   of_these_refunded  integer(subscriptions)  of the lapsed, those ended by a cancellation
--   churn              real                    lapsed per subscription active at the start of the month
--
-- Chart: lines  x=month  y=active_at_start,began,won_back,lapsed  series=bundle_id
--
-- Notes:
--   A lapse belongs to the month in which the period ended, not to that in which the
--   grace had passed; it counts once the grace has passed on the newest day in the
--   database, so the newest weeks show none. An upgrade is no lapse: its period ends
--   and another begins within a minute. Months without an event have no row.
--   Free trials are subscriptions here: a trial that ends without a paid period is
--   a lapse. 16 days is the longest grace that most apps give; billing is retried
--   for up to 60. A period that expires before it begins can't be placed.
--   Subscriptions that began and lapsed within the month can lift churn above 1.
--
-- Example:
--   receiptmill report subscription-churn --database mill.sqlite --param grace_days=60

WITH lapses AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        end_day,
        next_start_day,
        is_canceled,
        periods
    FROM subscription_ends
    WHERE days_known >= coalesce(CAST(:grace_days AS BIGINT), 16)
        -- No next period is one that begins never.
        AND coalesce(pause_days, 9999999) > coalesce(CAST(:grace_days AS BIGINT), 16)
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

events AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        first_start_day AS day_number,
        sum(subscriptions) AS began,
        0 AS won_back,
        0 AS lapsed,
        0 AS refunded
    FROM subscription_begins
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 3, 2, 1
    UNION ALL
    SELECT
        environment,
        bundle_id,
        next_start_day,
        0,
        sum(periods),
        0,
        0
    FROM lapses
    WHERE next_start_day IS NOT NULL
    GROUP BY 3, 2, 1
    UNION ALL
    SELECT environment, bundle_id, end_day, 0, 0, sum(periods), sum(is_canceled * periods)
    FROM lapses
    GROUP BY 3, 2, 1
),

by_month AS (
    SELECT
        events.environment,
        events.bundle_id,
        calendar.month,
        sum(events.began) AS began,
        sum(events.won_back) AS won_back,
        sum(events.lapsed) AS lapsed,
        sum(events.refunded) AS refunded
    FROM events
    JOIN calendar ON calendar.day_number = events.day_number
    GROUP BY 3, 2, 1
),

running AS (
    SELECT
        environment,
        bundle_id,
        month,
        began,
        won_back,
        lapsed,
        refunded,
        sum(began + won_back - lapsed) OVER (
            PARTITION BY environment, bundle_id ORDER BY month
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) - (began + won_back - lapsed) AS active_at_start
    FROM by_month
)

SELECT
    environment,
    bundle_id,
    month,
    active_at_start,
    began,
    won_back,
    lapsed,
    refunded AS of_these_refunded,
    round(CAST(lapsed AS DOUBLE) / nullif(active_at_start, 0), 4) AS churn
FROM running
WHERE month BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
ORDER BY 1, 2, 3;
