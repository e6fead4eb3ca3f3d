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
--   :from         month             2008-01                   first month shown; a week belongs to the month of its
--                                                             Monday
--   :until        month(:from..)    9999-12                   last month shown, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--   :as_of        date(2008-01-01..2040-12-31)  null  day as of whose end it is asked; the day of the newest document of
--                                                     each app and environment unless set
--
-- Columns:
--   environment        text                    environment of the subscriptions
--   bundle_id          text                    bundle identifier of the app
--   month              month                   month in UTC; with :grain week the Monday of the week, with day the day
--   active_at_start    integer(subscriptions)  subscriptions that are known to have run into the month
--   began              integer(subscriptions)  subscriptions whose first period began
--   won_back           integer(subscriptions)  subscriptions that began again after a lapse
--   lapsed             integer(subscriptions)  subscriptions whose period ended, known not to have been renewed within
--                                              the grace
--   of_these_refunded  integer(subscriptions)  of the lapsed, those ended by a cancellation
--   churn              real                    lapsed per subscription active at the start of the month, less the
--                                              unknown; null where none is left
--   unknown            integer(subscriptions)  subscriptions whose period ended and of which nobody knows whether they
--                                              were renewed; neither lapsed nor active from then on
--   as_of              time                    the last second of the day asked
--
-- Chart: lines  x=month  y=active_at_start,began,won_back,lapsed,unknown  series=bundle_id
--        lines  x=month  y=churn  n=active_at_start
--
-- Notes:
--   Family members' shares are left out: the buyer's subscription counts once.
--   The store tells of a renewal only in documents made after it. A lapse is one only if
--   the subscription is known for grace_days beyond its end, as in the view
--   subscription_horizons; where it is not, and the app is, the fate is unknown. The
--   unknown are in neither part of churn: it is that of the others, and takes for granted
--   that owners who send nothing any more leave as often as those who do.
--   A lapse belongs to the month in which the period ended, not to that in which the
--   grace had passed; it and the unknown count once the grace has passed on the day
--   asked, so the newest weeks show none. An upgrade is no lapse: its period ends
--   and another begins within a minute. Months without an event have a row between the
--   first and the last event of an app.
--   Free trials are subscriptions here: a trial that ends without a paid period is
--   a lapse. With :grain week or day, churn is that of a week or day: it can't be compared
--   with a month's. 16 days is the longest grace that most apps give; billing is retried
--   for up to 60. A period that expires before it begins can't be placed.
--   Subscriptions that began and lapsed within the month can lift churn above 1. A day
--   after the newest document of an app counts as that document's.
--
-- Example:
--   receiptmill report subscription-churn --database mill.sqlite --param grace_days=60

WITH asked AS (
    -- Without a day, all that is known counts.
    SELECT coalesce(max(CASE WHEN day = :as_of THEN day_number END), 9999999) AS day_number FROM calendar
),

ends AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        end_day,
        CASE WHEN next_start_day <= (SELECT day_number FROM asked) THEN next_start_day END AS next_start_day,
        CASE WHEN days_known >= coalesce(CAST(:grace_days AS BIGINT), 16) THEN 1 ELSE 0 END AS is_lapse,
        is_canceled,
        periods
    FROM subscription_ends
    WHERE days_past >= coalesce(CAST(:grace_days AS BIGINT), 16)
        AND (
            horizon_day <= (SELECT day_number FROM asked)
            OR (SELECT day_number FROM asked) - end_day >= coalesce(CAST(:grace_days AS BIGINT), 16)
        )
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
        0 AS refunded,
        0 AS unknown
    FROM subscription_begins
    WHERE first_start_day <= (SELECT day_number FROM asked)
        AND (
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
        0,
        0
    FROM ends
    WHERE next_start_day IS NOT NULL
        AND is_lapse = 1
    GROUP BY 3, 2, 1
    UNION ALL
    SELECT
        environment,
        bundle_id,
        end_day,
        0,
        0,
        sum(is_lapse * periods),
        sum(is_lapse * is_canceled * periods),
        sum((1 - is_lapse) * periods)
    FROM ends
    GROUP BY 3, 2, 1
),

by_month AS (
    SELECT
        events.environment,
        events.bundle_id,
        calendar.period AS month,
        sum(events.began) AS began,
        sum(events.won_back) AS won_back,
        sum(events.lapsed) AS lapsed,
        sum(events.refunded) AS refunded,
        sum(events.unknown) AS unknown
    FROM events
    JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = events.day_number
    GROUP BY 3, 2, 1
),

-- Months without an event, too, so that lines have no gaps.
months AS (
    SELECT span.environment, span.bundle_id, named.month
    FROM (
        SELECT environment, bundle_id, min(month) AS first_month, max(month) AS last_month
        FROM by_month
        GROUP BY environment, bundle_id
    ) AS span
    JOIN (
        SELECT DISTINCT period AS month FROM calendar_grains WHERE grain = coalesce(:grain, 'month')
    ) AS named
        ON named.month BETWEEN span.first_month AND span.last_month
),

running AS (
    SELECT
        months.environment,
        months.bundle_id,
        months.month,
        coalesce(by_month.began, 0) AS began,
        coalesce(by_month.won_back, 0) AS won_back,
        coalesce(by_month.lapsed, 0) AS lapsed,
        coalesce(by_month.refunded, 0) AS refunded,
        coalesce(by_month.unknown, 0) AS unknown,
        coalesce(
            sum(by_month.began + by_month.won_back - by_month.lapsed - by_month.unknown) OVER (
                PARTITION BY months.environment, months.bundle_id ORDER BY months.month
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0) AS active_at_start
    FROM months
    LEFT JOIN by_month
        ON by_month.month = months.month
        AND by_month.bundle_id = months.bundle_id
        AND by_month.environment = months.environment
)

SELECT
    running.environment,
    running.bundle_id,
    running.month,
    running.active_at_start,
    running.began,
    running.won_back,
    running.lapsed,
    running.refunded AS of_these_refunded,
    CASE
        WHEN running.active_at_start > running.unknown
            THEN round(CAST(running.lapsed AS DOUBLE) / (running.active_at_start - running.unknown), 4)
    END AS churn,
    running.unknown,
    CASE WHEN :as_of < clock.day THEN :as_of ELSE clock.day END || 'T23:59:59' || (SELECT suffix FROM zone_offset)
        AS as_of
FROM running
JOIN app_horizons AS clock
    ON coalesce(clock.environment, '(none)') = running.environment
    AND coalesce(clock.bundle_id, '(none)') = running.bundle_id
WHERE substr(running.month, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
ORDER BY 1, 2, 3;
