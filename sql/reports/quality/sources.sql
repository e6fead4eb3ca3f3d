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
--   month          month    month in UTC in which an owner was first seen, or a purchase was made; (none) where no date
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

owned AS (
    SELECT
        app_number,
        min(day_number) AS day_number,
        max(CASE WHEN source = 'receipts' THEN 1 ELSE 0 END) AS has_receipts,
        max(CASE WHEN source = 'signed' THEN 1 ELSE 0 END) AS has_signed
    FROM (
        SELECT owner, owner_kind, app_number, day_number, source
        FROM owner_sightings
        WHERE owner IS NOT NULL
            AND app_number IN (SELECT app_number FROM apps)
    ) AS seen
    GROUP BY owner, owner_kind, app_number
),

counted AS (
    SELECT
        app_number,
        'owners' AS subject,
        '(none)' AS product_kind,
        day_number,
        count(*) AS total,
        sum(CASE WHEN has_signed = 0 THEN 1 ELSE 0 END) AS receipts_only,
        sum(CASE WHEN has_receipts = 0 THEN 1 ELSE 0 END) AS signed_only
    FROM owned
    GROUP BY day_number, app_number
    UNION ALL
    SELECT
        app_number,
        'purchases' AS subject,
        CASE product_type
            WHEN 0 THEN 'non_consumable'
            WHEN 1 THEN 'consumable'
            WHEN 2 THEN 'non_renewing'
            WHEN 3 THEN 'auto_renewable'
            ELSE 'unknown'
        END AS product_kind,
        purchase_day AS day_number,
        sum(purchases) AS total,
        sum(CASE WHEN source = 'receipts' THEN purchases ELSE 0 END) AS receipts_only,
        sum(CASE WHEN source = 'signed' THEN purchases ELSE 0 END) AS signed_only
    FROM purchase_sources_by_day
    WHERE app_number IN (SELECT app_number FROM apps)
    GROUP BY purchase_day, product_type, app_number
),

by_month AS (
    SELECT
        apps.environment,
        apps.bundle_id,
        counted.subject,
        counted.product_kind,
        coalesce(calendar.period, '(none)') AS month,
        sum(counted.total) AS total,
        sum(counted.receipts_only) AS receipts_only,
        sum(counted.signed_only) AS signed_only
    FROM counted
    JOIN apps ON apps.app_number = counted.app_number
    LEFT JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = counted.day_number
    GROUP BY 1, 2, 3, 4, 5
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
