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
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

days AS (
    SELECT day_number, max(period) AS month
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
        AND substr(period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
    GROUP BY day_number
),

-- Counted by number, and the names joined behind.
counted AS (
    SELECT app_number, product_number, month, fate, count(*) AS trials, sum(is_trial_upgraded) AS upgraded
    FROM (
        SELECT
            trial.app_number,
            trial.first_product_number AS product_number,
            days.month,
            CASE
                WHEN trial.converted_day <= moment.day_number THEN 'converted'
                WHEN trial.trial_end_second > moment.second THEN 'running'
                WHEN trial.known_until_second >= trial.trial_end_second THEN 'lost'
                ELSE 'unknown'
            END AS fate,
            trial.is_trial_upgraded
        FROM trials_by_number AS trial
        JOIN moment ON moment.app_number = trial.app_number
        JOIN days ON days.day_number = trial.trial_start_day
        WHERE trial.trial_start_day <= moment.day_number
    ) AS tried
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY month, product_number, fate, app_number
),

summed AS (
    SELECT
        moment.environment,
        moment.bundle_id,
        coalesce(product_names.product_id, '(none)') AS product_id,
        counted.month,
        moment.as_of,
        sum(counted.trials) AS trials,
        sum(CASE WHEN counted.fate = 'running' THEN counted.trials ELSE 0 END) AS running,
        sum(CASE WHEN counted.fate = 'converted' THEN counted.trials ELSE 0 END) AS converted,
        sum(CASE WHEN counted.fate = 'unknown' THEN counted.trials ELSE 0 END) AS unknown,
        sum(CASE WHEN counted.fate = 'converted' THEN counted.upgraded ELSE 0 END) AS upgraded
    FROM counted
    JOIN moment ON moment.app_number = counted.app_number
    LEFT JOIN product_names ON product_names.product_number = counted.product_number
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
FROM summed
ORDER BY 1, 2, 3, 4;
