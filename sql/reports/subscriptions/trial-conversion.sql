-- trial-conversion: Conversion of free trials
-- How many free trials that began in a month turned into a paid subscription?
--
-- Grain: one row per environment, bundle_id, product_id, month
--
-- Parameters:
--   :environment  environments    Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle          all                       bundle identifier of the app; or all
--   :from         month           2008-01                   first month
--   :until        month(:from..)  9999-12                   last month
--
-- Columns:
--   environment  text                    environment of the subscriptions
--   bundle_id    text                    bundle identifier of the app
--   product_id   text                    product that the subscription began with
--   month        month                   month in which the trial began, in UTC
--   trials       integer(subscriptions)  subscriptions with a free trial
--   running      integer(subscriptions)  of these, those whose trial still ran on the newest day in the database
--   converted    integer(subscriptions)  of these, those with a paid period that began after the trial
--   conversion   share                   converted per trial that is over
--
-- Chart: lines  x=month  y=conversion  series=product_id
--
-- Notes:
--   A conversion shows only in a receipt created after it, so the newest months look
--   worse than they will turn out. A trial converted before its end is over.
--
-- Example:
--   receiptmill report trial-conversion --database mill.sqlite

WITH trials AS (
    SELECT
        coalesce(subscriptions.environment, '(none)') AS environment,
        coalesce(subscriptions.bundle_id, '(none)') AS bundle_id,
        coalesce(subscriptions.first_product_id, '(none)') AS product_id,
        calendar.month,
        count(*) AS trials,
        sum(
            CASE
                WHEN subscriptions.is_converted = 0 AND subscriptions.trial_end_second > horizon.second THEN 1
                ELSE 0
            END) AS running,
        sum(subscriptions.is_converted) AS converted
    FROM subscriptions
    JOIN calendar ON calendar.day_number = subscriptions.trial_start_day
    CROSS JOIN horizon
    WHERE subscriptions.has_trial = 1
        AND calendar.month BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || subscriptions.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', subscriptions.bundle_id)
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 4, 3, 2, 1
)

SELECT
    environment,
    bundle_id,
    product_id,
    month,
    trials,
    running,
    converted,
    round(CAST(converted AS DOUBLE) / nullif(trials - running, 0), 4) AS conversion
FROM trials
ORDER BY 1, 2, 3, 4;
