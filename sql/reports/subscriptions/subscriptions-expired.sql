-- subscriptions-expired: Subscriptions that expired and were not renewed
-- Which subscriptions expired in the last days, were neither canceled nor renewed, and might be won back?
--
-- Grain: one row per environment, bundle_id, subscription_id, expires
--
-- Parameters:
--   :environment  environments      Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle            all                       bundle identifier of the app; or all
--   :on           date(2008-01-01..2040-12-31)  null  day as of whose last second it is asked; the newest day in the
--                                                             database unless set
--   :days         integer(1..)      30                        days back, from the last second of the day
--   :grace_days   integer(0..3650)  0                         days to wait after the expiration before it counts
--
-- Columns:
--   environment      text           environment of the subscription
--   bundle_id        text           bundle identifier of the app
--   subscription_id  text           original transaction identifier
--   product_id       text           product of the period
--   period_kind      text           paid, trial or introductory
--   starts           time           begin of the period
--   expires          time           its expiration
--   days_ago         integer(days)  whole days from the expiration to the moment asked
--
-- Notes:
--   A period that was canceled is left out, after its expiration too. A renewal counts
--   from whatever day before the moment asked. Expired is not churned: billing is
--   retried for up to 60 days, for which grace_days can wait.
--   An owner whose receipt was not refreshed since looks expired and may not be.
--
-- Example:
--   receiptmill report subscriptions-expired --database mill.sqlite --param days=14

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
            moment.second - terms.expiry_second
            - (moment.second - terms.expiry_second) % 86400
        ) / 86400 AS BIGINT) AS days_ago
FROM moment
CROSS JOIN subscription_terms AS terms
WHERE terms.expiry_second <= moment.second - 86400 * coalesce(CAST(:grace_days AS BIGINT), 0)
    AND terms.expiry_second > moment.second - 86400 * coalesce(CAST(:days AS BIGINT), 30)
    AND terms.end_second = terms.expiry_second
    AND (terms.cancellation_second IS NULL OR terms.cancellation_second > moment.second)
    AND (terms.next_start_second IS NULL OR terms.next_start_second > moment.second)
    AND (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || terms.environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', terms.bundle_id)
ORDER BY terms.expires DESC, 1, 2, terms.subscription_id;
