-- refunds-by-version: Refunds by app version
-- Buyers of which app version asked for their money back?
--
-- Grain: one row per environment, bundle_id, app_version
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
--   app_version  text                   version of the app whose receipt tells of the purchase last; (none) where
--                                       it states none
--   purchases    integer(transactions)  transactions bought, free trials left out
--   refunds      integer(transactions)  of these, those canceled since, upgrades left out
--   refund_rate  share                  refunds per purchase
--
-- Chart: bars  x=app_version  y=refund_rate  series=bundle_id
--
-- Notes:
--   The version is that of the newest receipt that shows the purchase: the version
--   that the owner had when the refund was seen, not always the one bought in.
--   Versions are in their own order: 1.9 goes before 1.10.
--   Every rate is a lower bound: a receipt shows a refund only if it was refreshed
--   afterwards. A purchase that was restored counts once.
--
-- Example:
--   receiptmill report refunds-by-version --database mill.sqlite

WITH counted AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        coalesce(app_version, '(none)') AS app_version,
        coalesce(app_version_key, '') AS app_version_key,
        sum(purchases) AS purchases,
        sum(refunds) AS refunds
    FROM version_purchases
    JOIN calendar ON calendar.day_number = version_purchases.purchase_day
    WHERE calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    GROUP BY app_version, app_version_key, bundle_id, environment
)

SELECT
    environment,
    bundle_id,
    app_version,
    purchases,
    refunds,
    round(CAST(refunds AS DOUBLE) / purchases, 4) AS refund_rate
FROM counted
ORDER BY environment, bundle_id, app_version_key, app_version;
