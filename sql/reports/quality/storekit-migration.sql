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
--   month                  month    month in UTC in which they were presented; where the line tells no time, in which
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

-- Grouped, so that SQLite finds a day by an index.
days AS (
    SELECT day_number, day, max(period) AS month
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
    GROUP BY day_number, day
),

presented AS (
    SELECT
        seen.app_number,
        seen.owner,
        seen.owner_kind,
        seen.source,
        seen.submissions,
        seen.day_number,
        versions.version_place,
        days.month
    FROM owner_sightings AS seen
    CROSS JOIN days
    LEFT JOIN version_places AS versions ON versions.version_number = seen.version_number
    WHERE days.day_number = seen.day_number
        AND seen.is_notified = 0
        AND seen.app_number IN (SELECT app_number FROM apps)
),

by_owner AS (
    -- Documents without owner are one row for each version that they state.
    SELECT
        app_number,
        month,
        owner,
        max(version_place) AS version_place,
        max(CASE WHEN source = 'receipts' THEN 1 ELSE 0 END) AS has_receipts,
        max(CASE WHEN source = 'signed' THEN 1 ELSE 0 END) AS has_signed,
        sum(CASE WHEN source = 'receipts' THEN submissions ELSE 0 END) AS receipt_submissions,
        sum(CASE WHEN source = 'signed' THEN submissions ELSE 0 END) AS signed_submissions,
        max(CASE WHEN source = 'receipts' THEN day_number END) AS last_receipt_day
    FROM presented
    GROUP BY owner, owner_kind, month, app_number, CASE WHEN owner IS NULL THEN version_place END
),

last_receipts AS (
    SELECT by_owner.app_number, max(substr(days.day, 1, 7)) AS month
    FROM (SELECT app_number, max(last_receipt_day) AS day_number FROM by_owner GROUP BY app_number) AS by_owner
    JOIN days ON days.day_number = by_owner.day_number
    GROUP BY by_owner.app_number
),

counted AS (
    SELECT
        app_number,
        month,
        version_place,
        count(owner) AS owners,
        sum(CASE WHEN owner IS NOT NULL AND has_signed = 0 THEN 1 ELSE 0 END) AS receipts_only,
        sum(CASE WHEN owner IS NOT NULL AND has_receipts = 0 THEN 1 ELSE 0 END) AS signed_only,
        sum(CASE WHEN owner IS NULL THEN receipt_submissions + signed_submissions ELSE 0 END) AS ownerless_submissions,
        sum(receipt_submissions) AS receipt_submissions,
        sum(signed_submissions) AS signed_submissions
    FROM by_owner
    WHERE substr(month, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
    GROUP BY app_number, month, version_place
)

SELECT
    apps.environment,
    apps.bundle_id,
    counted.month,
    coalesce(versions.version, '(none)') AS app_version,
    counted.owners,
    counted.receipts_only,
    counted.owners - counted.receipts_only - counted.signed_only AS both_sources,
    counted.signed_only,
    round(CAST(counted.owners - counted.receipts_only AS DOUBLE) / nullif(counted.owners, 0), 4) AS signed_share,
    counted.ownerless_submissions,
    counted.receipt_submissions,
    counted.signed_submissions,
    last_receipts.month AS last_receipt_month
FROM counted
JOIN apps ON apps.app_number = counted.app_number
LEFT JOIN version_places AS versions ON versions.version_place = counted.version_place
LEFT JOIN last_receipts ON last_receipts.app_number = counted.app_number
ORDER BY apps.environment, apps.bundle_id, counted.month, 4;
