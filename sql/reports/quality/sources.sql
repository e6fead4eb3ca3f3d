-- sources: What is known by receipts, and what by signed data
-- Which owners and purchases are known by receipts alone, by signed data alone, and by both?
--
-- Grain: one row per environment, bundle_id, subject, product_kind, month
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
--   environment    text     environment of the documents
--   bundle_id      text     bundle identifier of the app
--   subject        text     what is counted: owners or purchases
--   product_kind   text     of purchases consumable, non_consumable, non_renewing, auto_renewable, or unknown; (none)
--                           of owners
--   month          month    month in which an owner was first seen, or a purchase was made; (none) where no date
--                           is known; with :grain week the Monday of the week, with day the day
--   total          integer  how many there are
--   receipts_only  integer  of these, those known by receipts alone
--   both_sources   integer  of these, those known by receipts and by signed data
--   signed_only    integer  of these, those known by signed data alone
--   signed_share   share    both_sources and signed_only per total
--
-- Chart: bars  x=subject  y=receipts_only,both_sources,signed_only
--
-- Notes:
--   Never add owners to purchases. Owners are those of freemium-migration: an account, or
--   a device without one, that presented a trusted document made for it. Signed data are
--   transactions, app transactions and notifications; renewal infos name no app and
--   count for nobody. Whoever is known only by a purchase that a server was told of is
--   no owner.
--   Purchases include trials, family shares and refunded ones; a copy that a restore made
--   counts with its original. Only purchases of signed data can have a price of the store:
--   receipts_only is what revenue knows no signed price of.
--
-- Example:
--   receiptmill report sources --database mill.sqlite

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

known AS (
    SELECT
        app_number,
        'owners' AS subject,
        '(none)' AS product_kind,
        first_seen_day AS day_number,
        source,
        owners AS number
    FROM owner_sources_by_day
    UNION ALL
    SELECT
        app_number,
        'purchases',
        CASE product_type
            WHEN 0 THEN 'non_consumable'
            WHEN 1 THEN 'consumable'
            WHEN 2 THEN 'non_renewing'
            WHEN 3 THEN 'auto_renewable'
            ELSE 'unknown'
        END,
        purchase_day,
        source,
        purchases
    FROM purchase_sources_by_day
),

by_month AS (
    SELECT
        apps.environment,
        apps.bundle_id,
        known.subject,
        known.product_kind,
        coalesce(calendar.period, '(none)') AS month,
        sum(known.number) AS total,
        sum(CASE WHEN known.source = 'receipts' THEN known.number ELSE 0 END) AS receipts_only,
        sum(CASE WHEN known.source = 'signed' THEN known.number ELSE 0 END) AS signed_only
    FROM known
    JOIN apps ON apps.app_number = known.app_number
    LEFT JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = known.day_number
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 5, 4, 2, 1, 3
)

SELECT
    environment,
    bundle_id,
    subject,
    product_kind,
    month,
    total,
    receipts_only,
    total - receipts_only - signed_only AS both_sources,
    signed_only,
    round(CAST(total - receipts_only AS DOUBLE) / total, 4) AS signed_share
FROM by_month
WHERE (month = '(none)' AND coalesce(:from, '2008-01') = '2008-01' AND coalesce(:until, '9999-12') = '9999-12')
    OR substr(month, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
ORDER BY environment, bundle_id, subject, product_kind, month;
