-- subscriptions-expiring: Subscriptions about to expire
-- Which subscriptions that run now expire within some days, and are not renewed yet?
--
-- Grain: one row per environment, bundle_id, subscription_id, expires
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--   :on           date(2008-01-01..2040-12-31)  null  day as of whose last second it is asked; the newest day in the
--                                                         database unless set
--   :days         integer(1..)  7                         days ahead, from the last second of the day
--
-- Columns:
--   environment      text           environment of the subscription
--   bundle_id        text           bundle identifier of the app
--   subscription_id  text           original transaction identifier
--   product_id       text           product of the period
--   period_kind      text           paid, trial or introductory
--   starts           time           begin of the period
--   expires          time           its expiration
--   days_left        integer(days)  whole days from the moment asked to the expiration
--
-- Notes:
--   Canceled periods are left out: they ended already. A subscription may be renewed
--   without our knowing; only receipts created afterwards tell.
--
-- Example:
--   receiptmill report subscriptions-expiring --database mill.sqlite --param days=30

WITH moment AS (
    SELECT day AS on_day, day_number, day_number * 86400 + 86399 AS second
    FROM calendar
    WHERE day = coalesce(:on, (SELECT day FROM horizon))
)

SELECT
    coalesce(terms.environment, '(none)') AS environment,
    coalesce(terms.bundle_id, '(none)') AS bundle_id,
    terms.subscription_id,
    terms.product_id,
    terms.kind AS period_kind,
    terms.starts,
    terms.expires,
    CAST(
        (
            terms.expiry_second - moment.second
            - (terms.expiry_second - moment.second) % 86400
        ) / 86400 AS BIGINT) AS days_left
FROM moment
CROSS JOIN subscription_terms AS terms
WHERE terms.expiry_second > moment.second
    AND terms.expiry_second <= moment.second + 86400 * coalesce(CAST(:days AS BIGINT), 7)
    AND terms.start_second <= moment.second
    AND terms.end_second > moment.second
    AND terms.next_start_second IS NULL
    AND (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || terms.environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', terms.bundle_id)
ORDER BY terms.expires, 1, 2, terms.subscription_id;
