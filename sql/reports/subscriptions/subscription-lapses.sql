-- subscription-lapses: Lapses and win-backs by month of the lapse
-- Of the subscriptions that lapsed in a month, how many came back, and how soon?
--
-- Grain: one row per environment, bundle_id, product_id, month
--
-- Parameters:
--   :environment  environments      Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle            all                       bundle identifier of the app; or all
--   :grace_days   integer(0..3650)  16                        days after its end within which a renewal still
--                                                             continues a subscription
--   :from         month             2008-01                   first month; a week belongs to the month of its Monday
--   :until        month(:from..)    9999-12                   last month, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--   :as_of        date(2008-01-01..2040-12-31)  null  day as of whose end it is asked; the day of the newest document of
--                                                     each app and environment unless set
--
-- Columns:
--   environment    text                    environment of the subscriptions
--   bundle_id      text                    bundle identifier of the app
--   product_id     text                    product of the period that ended
--   month          month                   month of its end, in UTC; with :grain week the Monday of the week, with day
--                                          the day
--   lapsed         integer(subscriptions)  subscriptions that ended, known not to have been renewed within the grace
--   won_back_60    integer(subscriptions)  of these, those that began again within 60 days of the end
--   won_back       integer(subscriptions)  of these, those that began again at all
--   win_back_rate  share                   won_back per lapsed; null where none lapsed
--   unknown        integer(subscriptions)  subscriptions that ended and of which nobody knows whether they were renewed;
--                                          none of the lapsed
--   as_of          time                    the last second of the day asked
--
-- Chart: bars  x=month  y=lapsed,won_back,unknown  series=product_id
--
-- Notes:
--   A return within the grace, or an upgrade, is no lapse. A lapse is one only if the
--   subscription is known for grace_days beyond its end, as in the view
--   subscription_horizons; where it is not, and the app is, the fate is unknown, and in
--   no rate. Recent months had less time to come back, and an end counts only once its
--   grace has passed on the day asked. Returns, too, show only in documents made after
--   them: win-back rates are lower bounds. A day after the newest document of an app
--   counts as that document's.
--
-- Example:
--   receiptmill report subscription-lapses --database mill.sqlite

WITH asked AS (
    -- Without a day, all that is known counts.
    SELECT coalesce(max(CASE WHEN day = :as_of THEN day_number END), 9999999) AS day_number FROM calendar
),

ended AS (
    SELECT
        coalesce(ends.environment, '(none)') AS environment,
        coalesce(ends.bundle_id, '(none)') AS bundle_id,
        coalesce(ends.product_id, '(none)') AS product_id,
        calendar.period AS month,
        CASE WHEN ends.next_start_day <= (SELECT day_number FROM asked) THEN ends.pause_days END AS pause_days,
        CASE WHEN ends.days_known >= coalesce(CAST(:grace_days AS BIGINT), 16) THEN ends.periods ELSE 0 END AS lapsed,
        CASE WHEN ends.days_known >= coalesce(CAST(:grace_days AS BIGINT), 16) THEN 0 ELSE ends.periods END AS unknown
    FROM subscription_ends AS ends
    JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = ends.end_day
    WHERE ends.days_past >= coalesce(CAST(:grace_days AS BIGINT), 16)
        AND (
            ends.horizon_day <= (SELECT day_number FROM asked)
            OR (SELECT day_number FROM asked) - ends.end_day >= coalesce(CAST(:grace_days AS BIGINT), 16)
        )
        -- No next period is one that begins never.
        AND coalesce(ends.pause_days, 9999999) > coalesce(CAST(:grace_days AS BIGINT), 16)
        AND substr(calendar.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || ends.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', ends.bundle_id)
),

counted AS (
    SELECT
        environment,
        bundle_id,
        product_id,
        month,
        sum(lapsed) AS lapsed,
        sum(CASE WHEN pause_days <= 60 THEN lapsed ELSE 0 END) AS won_back_60,
        sum(CASE WHEN pause_days IS NULL THEN 0 ELSE lapsed END) AS won_back,
        sum(unknown) AS unknown
    FROM ended
    GROUP BY month, product_id, bundle_id, environment
)

SELECT
    counted.environment,
    counted.bundle_id,
    counted.product_id,
    counted.month,
    counted.lapsed,
    counted.won_back_60,
    counted.won_back,
    round(CAST(counted.won_back AS DOUBLE) / nullif(counted.lapsed, 0), 4) AS win_back_rate,
    counted.unknown,
    CASE WHEN :as_of < clock.day THEN :as_of ELSE clock.day END || 'T23:59:59' || (SELECT suffix FROM zone_offset)
        AS as_of
FROM counted
JOIN app_horizons AS clock
    ON coalesce(clock.environment, '(none)') = counted.environment
    AND coalesce(clock.bundle_id, '(none)') = counted.bundle_id
ORDER BY 1, 2, 3, 4;
