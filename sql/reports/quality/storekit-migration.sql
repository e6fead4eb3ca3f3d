-- storekit-migration: From receipts to signed data of StoreKit 2
-- How far has an app moved from receipts to signed data, and when did the last receipt come?
--
-- Grain: one row per environment, bundle_id, month, app_version
--
-- Parameters:
--   :environment  environments    Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle          all                       bundle identifier of the app; or all
--   :from         month           2008-01                   first month shown; a week belongs to the month of its
--                                                           Monday
--   :until        month(:from..)  9999-12                   last month shown, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment            text     environment of the documents
--   bundle_id              text     bundle identifier of the app
--   month                  month    month in which they were presented; where the line tells no time, in which
--                                   they were created; with :grain week the Monday of the week, with day the day
--   app_version            text     the highest version that the owner's documents of the month state; (none) where
--                                   none does
--   owners                 integer  owners who presented a document in the month
--   receipts_only          integer  of these, those who presented receipts alone
--   both_sources           integer  of these, those who presented receipts and signed data
--   signed_only            integer  of these, those who presented signed data alone
--   signed_share           share    both_sources and signed_only per owner
--   ownerless_submissions  integer  submissions that name neither account nor device; in no column about owners
--   receipt_submissions    integer  submissions of receipts, with owner or without
--   signed_submissions     integer  submissions of signed data, with owner or without
--   last_receipt_month     month    month of the last receipt of the app in the environment, of all versions and
--                                   whatever the months shown; null where there is none
--
-- Chart: area  x=month  y=receipts_only,both_sources,signed_only
--
-- Notes:
--   Counted is what apps and their servers present: transactions and app transactions.
--   Notifications, what they hold, and renewal infos are left out, as the store sends
--   those whatever the app does. A receipt that stands beside a transaction in one line
--   is a submission of its own.
--   Signed transactions state no version of the app, only receipts and app transactions
--   do: an app that moves to transactions alone moves to (none). An owner counts once in
--   a month and in each month anew: owners of several months, weeks or days can't be added.
--   A document that was made for another device counts for nobody. Old submissions that
--   retention deleted are not counted; months in which an owner lost all are short of it.
--
-- Example:
--   receiptmill report storekit-migration --database mill.sqlite --param from=2025-01

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

counted AS (
    SELECT
        owner_sources_by_period.*,
        -- Whatever the months shown.
        max(last_receipt_day) OVER (PARTITION BY app_number) AS last_day_of_all
    FROM owner_sources_by_period
    WHERE grain = coalesce(:grain, 'month')
)

SELECT
    apps.environment,
    apps.bundle_id,
    counted.period AS month,
    coalesce(versions.version, '(none)') AS app_version,
    counted.owners,
    counted.receipts_only,
    counted.owners - counted.receipts_only - counted.signed_only AS both_sources,
    counted.signed_only,
    round(CAST(counted.owners - counted.receipts_only AS DOUBLE) / nullif(counted.owners, 0), 4) AS signed_share,
    counted.ownerless_submissions,
    counted.receipt_submissions,
    counted.signed_submissions,
    last_days.month AS last_receipt_month
FROM counted
JOIN apps ON apps.app_number = counted.app_number
LEFT JOIN version_places AS versions ON versions.version_number = counted.version_number
LEFT JOIN calendar AS last_days ON last_days.day_number = counted.last_day_of_all
WHERE substr(counted.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
ORDER BY apps.environment, apps.bundle_id, counted.period, 4;
