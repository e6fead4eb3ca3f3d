-- trial-conversion: Conversion of free trials
-- How many free trials that began in a month turned into a paid subscription?
--
-- Grain: one row per environment, bundle_id, product_id, month
--
-- Parameters:
--   :environment  environments    Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle          all                       bundle identifier of the app; or all
--   :from         month           2008-01                   first month; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12                   last month, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--   :as_of        date(2008-01-01..2040-12-31)  null  day as of whose last second it is asked; the day of the newest
--                                                     document of each app and environment unless set
--
-- Columns:
--   environment  text                    environment of the subscriptions
--   bundle_id    text                    bundle identifier of the app
--   product_id   text                    product that the subscription began with
--   month        month                   month in which the trial began, in UTC; with :grain week the Monday of
--                                        the week, with day the day
--   trials       integer(subscriptions)  subscriptions with a free trial
--   running      integer(subscriptions)  of these, those whose trial still runs at the moment asked
--   converted    integer(subscriptions)  of these, those with a paid period that began after the trial did
--   conversion   share                   converted per trial that is over and whose fate is known
--   unknown      integer(subscriptions)  of the trials, those that are over, and nothing made since tells whether they
--                                        were paid for; neither running nor converted
--   upgraded     integer(subscriptions)  of the converted, those that went over to a paid period of another product
--                                        before the trial expired
--   as_of        time                    the last second of the day asked
--
-- Chart: bars  x=month  y=trials,converted
--        lines  x=month  y=conversion  series=product_id
--
-- Notes:
--   Family members' shares are left out: the buyer's subscription counts once.
--   The store tells of a conversion only in documents made after it. A trial has not
--   converted only where its subscription is known beyond the trial's end, as in the view
--   subscription_horizons; the rest are unknown and in no share. Owners who send nothing
--   any more may well have converted less often than the others. A trial converted before
--   its end is over. The row is that of the product begun with: a trial that was upgraded
--   converted, but to another product; upgraded tells how many. Its trial stands among the
--   free trials of the report refunds, and among the upgrades there. A day after the
--   newest document of an app counts as that document's.
--   A trial whose paid period was refunded counts as converted.
--
-- Example:
--   receiptmill report trial-conversion --database mill.sqlite

WITH moment AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        app_number,
        as_of,
        day_number,
        86400 * day_number + 86399 - (SELECT second FROM zone_offset) AS second
    FROM (
        SELECT
            environment,
            bundle_id,
            app_number,
            CASE WHEN :as_of < day THEN :as_of ELSE day END || 'T23:59:59' || (SELECT suffix FROM zone_offset) AS as_of,
            CASE WHEN :as_of < day THEN (SELECT day_number FROM calendar WHERE day = :as_of) ELSE day_number END
                AS day_number
        FROM app_horizons
    ) AS asked
),

trials AS (
    SELECT
        moment.environment,
        moment.bundle_id,
        coalesce(subscriptions.first_product_id, '(none)') AS product_id,
        calendar.period AS month,
        moment.as_of,
        CASE
            WHEN subscriptions.converted_day <= moment.day_number THEN 'converted'
            WHEN subscriptions.trial_end_second > moment.second THEN 'running'
            WHEN subscriptions.known_until_second >= subscriptions.trial_end_second THEN 'lost'
            ELSE 'unknown'
        END AS fate,
        subscriptions.is_trial_upgraded
    FROM subscriptions
    JOIN moment ON moment.app_number = subscriptions.app_number
    JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = subscriptions.trial_start_day
    WHERE subscriptions.has_trial = 1
        AND subscriptions.trial_start_day <= moment.day_number
        AND substr(calendar.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || subscriptions.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', subscriptions.bundle_id)
),

counted AS (
    SELECT
        environment,
        bundle_id,
        product_id,
        month,
        as_of,
        count(*) AS trials,
        sum(CASE WHEN fate = 'running' THEN 1 ELSE 0 END) AS running,
        sum(CASE WHEN fate = 'converted' THEN 1 ELSE 0 END) AS converted,
        sum(CASE WHEN fate = 'unknown' THEN 1 ELSE 0 END) AS unknown,
        sum(CASE WHEN fate = 'converted' THEN is_trial_upgraded ELSE 0 END) AS upgraded
    FROM trials
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 4, 3, 2, 1, 5
)

SELECT
    environment,
    bundle_id,
    product_id,
    month,
    trials,
    running,
    converted,
    round(CAST(converted AS DOUBLE) / nullif(trials - running - unknown, 0), 4) AS conversion,
    unknown,
    upgraded,
    as_of
FROM counted
ORDER BY 1, 2, 3, 4;
