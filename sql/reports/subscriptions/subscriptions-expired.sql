-- subscriptions-expired: Subscriptions that expired and were not renewed
-- Which subscriptions expired in the last days, were neither canceled nor renewed, and might be won back?
--
-- Grain: one row per environment, bundle_id, subscription_id, expires
--
-- Parameters:
--   :environment  environments      Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle            all                       bundle identifier of the app; or all
--   :on           date(2008-01-01..2040-12-31)  null  day as of whose last second it is asked; that of the newest
--                                                             document of each app and environment unless set
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
--   owner            text           who may be written to: the account that presented the subscription last, else the
--                                   device; (none) where nobody is known
--   owner_kind       text           account, device or none
--   account_id       text           the account, as the lines write it; null where none is known
--   device_id        text           the device that the owner presented from last; null where none is known
--   last_seen        time           when the owner presented a document of the app last
--   as_of            time           the last second of the day asked
--   state            text           expired: something made after the expiration shows no renewal; unknown: nothing
--                                   made since tells
--
-- Chart: bars  x=expires  y=rows  series=state
--
-- Notes:
--   A period that was canceled is left out, after its expiration too. A renewal counts
--   from whatever day before the moment asked. Expired is not churned: billing is
--   retried for up to 60 days, for which grace_days can wait.
--   An owner of whom nothing was made since looks expired and may have been renewed:
--   such rows are of state unknown. Ask them to refresh, before offering anything. Of
--   several owners of a subscription the one seen last is contact.
--
-- Example:
--   receiptmill report subscriptions-expired --database mill.sqlite --param days=14

WITH moment AS (
    SELECT
        app_number,
        coalesce(:on, day) AS on_day,
        coalesce((SELECT day_number FROM calendar WHERE day = :on), day_number) * 86400 + 86399
            - (SELECT second FROM zone_offset) AS second
    FROM app_horizons
),

listed AS (
    SELECT
        coalesce(terms.environment, '(none)') AS environment,
        coalesce(terms.bundle_id, '(none)') AS bundle_id,
        terms.subscription_id,
        coalesce(terms.product_id, '(none)') AS product_id,
        terms.kind,
        terms.starts,
        terms.expires,
        CAST(
            (
                moment.second - terms.expiry_second
                - (moment.second - terms.expiry_second) % 86400
            ) / 86400 AS BIGINT) AS days_ago,
        moment.on_day || 'T23:59:59' || (SELECT suffix FROM zone_offset) AS as_of,
        CASE WHEN terms.known_until_ms >= 1000 * terms.expiry_second THEN 'expired' ELSE 'unknown' END AS state,
        terms.app_number,
        terms.original_number
    FROM known_terms AS terms
    JOIN moment ON moment.app_number = terms.app_number
    WHERE terms.expiry_second <= moment.second - 86400 * coalesce(CAST(:grace_days AS BIGINT), 0)
        AND terms.expiry_second > moment.second - 86400 * coalesce(CAST(:days AS BIGINT), 30)
        -- Follows from the others, and spares the rest the look-up of what is known of them.
        AND terms.expiry_second <= (SELECT max(second) FROM moment)
        AND terms.expiry_second > (SELECT min(second) FROM moment) - 86400 * coalesce(CAST(:days AS BIGINT), 30)
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
),

contact AS (
    SELECT contacts.*
    FROM (SELECT DISTINCT original_number, app_number FROM listed) AS few
    CROSS JOIN subscription_contacts AS contacts
    WHERE contacts.original_number = few.original_number
        AND contacts.app_number = few.app_number
)

SELECT
    listed.environment,
    listed.bundle_id,
    listed.subscription_id,
    listed.product_id,
    listed.kind AS period_kind,
    listed.starts,
    listed.expires,
    listed.days_ago,
    coalesce(contact.owner, '(none)') AS owner,
    coalesce(contact.owner_kind, 'none') AS owner_kind,
    contact.account_id,
    contact.device_id,
    contact.last_seen,
    listed.as_of,
    listed.state
FROM listed
LEFT JOIN contact
    ON contact.original_number = listed.original_number
    AND contact.app_number = listed.app_number
ORDER BY listed.expires DESC, 1, 2, listed.subscription_id;
