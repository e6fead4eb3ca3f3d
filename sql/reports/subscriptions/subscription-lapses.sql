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
--   :from         month             2008-01                   first month
--   :until        month(:from..)    9999-12                   last month
--
-- Columns:
--   environment    text                    environment of the subscriptions
--   bundle_id      text                    bundle identifier of the app
--   product_id     text                    product of the period that ended
--   month          month                   month of its end, in UTC
--   lapsed         integer(subscriptions)  subscriptions that ended without a renewal within the grace
--   won_back_60    integer(subscriptions)  of these, those that began again within 60 days of the end
--   won_back       integer(subscriptions)  of these, those that began again at all
--   win_back_rate  share                   won_back per lapsed
--
-- Chart: bars  x=month  y=lapsed,won_back  series=product_id
--
-- Notes:
--   A return within the grace, or an upgrade, is no lapse. Recent months had less time
--   to come back, and a lapse counts only once its grace has passed.
--
-- Example:
--   receiptmill report subscription-lapses --database mill.sqlite

WITH lapses AS (
    SELECT
        coalesce(ends.environment, '(none)') AS environment,
        coalesce(ends.bundle_id, '(none)') AS bundle_id,
        coalesce(ends.product_id, '(none)') AS product_id,
        calendar.month,
        ends.pause_days,
        ends.periods
    FROM subscription_ends AS ends
    JOIN calendar ON calendar.day_number = ends.end_day
    WHERE ends.days_known >= coalesce(CAST(:grace_days AS BIGINT), 16)
        -- No next period is one that begins never.
        AND coalesce(ends.pause_days, 9999999) > coalesce(CAST(:grace_days AS BIGINT), 16)
        AND calendar.month BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || ends.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', ends.bundle_id)
)

SELECT
    environment,
    bundle_id,
    product_id,
    month,
    sum(periods) AS lapsed,
    sum(CASE WHEN pause_days <= 60 THEN periods ELSE 0 END) AS won_back_60,
    sum(CASE WHEN pause_days IS NULL THEN 0 ELSE periods END) AS won_back,
    round(
        CAST(sum(CASE WHEN pause_days IS NULL THEN 0 ELSE periods END) AS DOUBLE) / sum(periods), 4) AS win_back_rate
FROM lapses
GROUP BY month, product_id, bundle_id, environment
ORDER BY 1, 2, 3, 4;
