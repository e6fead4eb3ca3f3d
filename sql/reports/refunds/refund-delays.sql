-- refund-delays: Days from purchase to refund
-- How long after a purchase does the refund come?
--
-- Grain: one row per environment, bundle_id, days
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :from         date           2008-07-10                first day of purchase that counts
--   :until        date(:from..)  9999-12-31                last day of purchase that counts
--
-- Columns:
--   environment  text                   environment of the purchases
--   bundle_id    text                   bundle identifier of the app
--   days         text                   whole days from purchase to refund: 0, 1 to 2, 3 to 6, 7 to 13, 14 to 29, 30 to
--                                       59, 60 to 89, 90 or more
--   refunds      integer(transactions)  refunds that came so late
--   share        share                  of the app's refunds
--   share_until  share                  of the app's refunds that came so late or earlier
--
-- Chart: bars  x=days  y=refunds  series=bundle_id
--
-- Notes:
--   Upgrades are no refunds and are left out. Late refunds are undercounted: fewer
--   receipts are refreshed after them. Copies that restores made count once.
--
-- Example:
--   receiptmill report refund-delays --database mill.sqlite

WITH delays AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        cancellation_second - purchase_second AS seconds
    FROM dated_purchases
    JOIN calendar ON calendar.day_number = dated_purchases.purchase_day
    WHERE cancellation_day IS NOT NULL
        AND is_refund = 1
        AND is_restored = 0
        AND calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

placed AS (
    SELECT
        environment,
        bundle_id,
        CASE
            WHEN seconds < 86400 THEN 1
            WHEN seconds < 86400 * 3 THEN 2
            WHEN seconds < 86400 * 7 THEN 3
            WHEN seconds < 86400 * 14 THEN 4
            WHEN seconds < 86400 * 30 THEN 5
            WHEN seconds < 86400 * 60 THEN 6
            WHEN seconds < 86400 * 90 THEN 7
            ELSE 8
        END AS place
    FROM delays
),

counted AS (
    SELECT environment, bundle_id, place, count(*) AS refunds
    FROM placed
    GROUP BY environment, bundle_id, place
),

summed AS (
    SELECT
        environment,
        bundle_id,
        place,
        refunds,
        sum(refunds) OVER (PARTITION BY environment, bundle_id) AS all_refunds,
        sum(refunds) OVER (
            PARTITION BY environment, bundle_id ORDER BY place
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS refunds_until
    FROM counted
)

SELECT
    environment,
    bundle_id,
    CASE place
        WHEN 1 THEN '0'
        WHEN 2 THEN '1 to 2'
        WHEN 3 THEN '3 to 6'
        WHEN 4 THEN '7 to 13'
        WHEN 5 THEN '14 to 29'
        WHEN 6 THEN '30 to 59'
        WHEN 7 THEN '60 to 89'
        ELSE '90 or more'
    END AS days,
    refunds,
    round(CAST(refunds AS DOUBLE) / all_refunds, 4) AS share,
    round(CAST(refunds_until AS DOUBLE) / all_refunds, 4) AS share_until
FROM summed
ORDER BY environment, bundle_id, place;
