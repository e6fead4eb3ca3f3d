-- freemium-conversion: Conversion of free-era owners to payers
-- Of the owners who got the app for free in a month, how many bought something, and how soon?
--
-- Grain: one row per environment, bundle_id, cohort
--
-- Parameters:
--   :environment  environments    Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle          all                       bundle identifier of the app; or all
--   :era          text(paid, free, unknown, all)  free  era of the owners counted; or all
--   :from         month           2008-01                   first cohort; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12                   last cohort, likewise
--   :grain  text(month, week, day)  month  what a cohort is: those of a month, of a week that begins on Monday, or of a
--                                          day
--
-- Columns:
--   environment     text             environment of the owners' receipts
--   bundle_id       text             bundle identifier of the app
--   cohort          month            month in which the owners got the app, in UTC: the earliest original purchase date
--                                    of their receipts; where none states it, when they were first seen; with :grain
--                                    week the Monday of the week, with day the day
--   owners          integer(owners)  owners who got it then
--   already         integer(owners)  of these, those that had bought before that day
--   within_7_days   integer(owners)  of these, those that first bought within 7 days of it, already among them
--   within_30_days  integer(owners)  the same within 30 days
--   within_90_days  integer(owners)  the same within 90 days
--   ever            integer(owners)  the same at any time
--   conversion      share            ever per owner
--   by_first_seen   integer(owners)  of the owners, those whose receipts do not state when they got the app: days and
--                                    cohort are counted from when they were first seen
--
-- Chart: lines  x=cohort  y=within_7_days,within_30_days,ever  series=bundle_id
--
-- Notes:
--   A buyer has a purchase that was neither canceled nor a free trial. Cohorts used to
--   be by when owners were first seen, which is when an archive first shows them, often
--   years after they got the app: nearly all buyers had bought already. So it is still
--   for by_first_seen. Signed transactions alone don't state when the app was got.
--   Whoever bought on another device of the same account may have bought already. Young
--   cohorts had less time. A purchase that two owners present makes both of them buyers.
--
-- Example:
--   receiptmill report freemium-conversion --database mill.sqlite --param from=2024-01

WITH apps AS (
    SELECT
        app_number,
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id
    FROM app_names
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

-- By number first: of many owners few rows are left to be grouped by names.
by_day AS (
    SELECT
        app_number,
        day_number,
        sum(owners) AS owners,
        sum(CASE WHEN bought_within = 0 THEN owners ELSE 0 END) AS already,
        sum(CASE WHEN bought_within <= 7 THEN owners ELSE 0 END) AS within_7_days,
        sum(CASE WHEN bought_within <= 30 THEN owners ELSE 0 END) AS within_30_days,
        sum(CASE WHEN bought_within <= 90 THEN owners ELSE 0 END) AS within_90_days,
        sum(CASE WHEN best = 3 THEN owners ELSE 0 END) AS ever,
        sum(is_first_seen * owners) AS by_first_seen
    FROM owners_by_number
    WHERE coalesce(:era, 'free') IN ('all', era)
    GROUP BY day_number, app_number
)

SELECT
    apps.environment,
    apps.bundle_id,
    calendar.period AS cohort,
    sum(by_day.owners) AS owners,
    sum(by_day.already) AS already,
    sum(by_day.within_7_days) AS within_7_days,
    sum(by_day.within_30_days) AS within_30_days,
    sum(by_day.within_90_days) AS within_90_days,
    sum(by_day.ever) AS ever,
    round(CAST(sum(by_day.ever) AS DOUBLE) / sum(by_day.owners), 4) AS conversion,
    sum(by_day.by_first_seen) AS by_first_seen
FROM by_day
JOIN apps ON apps.app_number = by_day.app_number
JOIN calendar_grains AS calendar
    ON calendar.grain = coalesce(:grain, 'month')
    AND calendar.day_number = by_day.day_number
WHERE substr(calendar.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
GROUP BY apps.environment, apps.bundle_id, calendar.period
ORDER BY 1, 2, 3;
