-- subscriptions-expiring: Subscriptions about to expire
-- Which subscriptions that run now expire within some days, and are not renewed yet?
--
-- Grain: one row per environment, bundle_id, subscription_id, expires
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--   :on           date(2008-01-01..2040-12-31)  null  day as of whose last second it is asked; that of the newest
--                                                         document of each app and environment unless set
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
--   owner            text           who may be written to: the account that presented the subscription last, else the
--                                   device; (none) where nobody is known
--   owner_kind       text           account, device or none
--   account_id       text           the account, as the lines write it; null where none is known
--   device_id        text           the device that the owner presented from last; null where none is known
--   last_seen        time           when the owner presented a document of the app last
--   as_of            time           the last second of the day asked
--
-- Chart: bars  x=expires  y=rows  series=period_kind
--
-- Notes:
--   Canceled periods are left out: they ended already. A subscription may be renewed
--   without our knowing; only documents made afterwards tell. Of several owners of a
--   subscription the one seen last is contact.
--
-- Example:
--   receiptmill report subscriptions-expiring --database mill.sqlite --param days=30

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
                terms.expiry_second - moment.second
                - (terms.expiry_second - moment.second) % 86400
            ) / 86400 AS BIGINT) AS days_left,
        moment.on_day || 'T23:59:59' || (SELECT suffix FROM zone_offset) AS as_of,
        terms.app_number,
        terms.original_number
    FROM subscription_terms AS terms
    JOIN moment ON moment.app_number = terms.app_number
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
    listed.days_left,
    coalesce(contact.owner, '(none)') AS owner,
    coalesce(contact.owner_kind, 'none') AS owner_kind,
    contact.account_id,
    contact.device_id,
    contact.last_seen,
    listed.as_of
FROM listed
LEFT JOIN contact
    ON contact.original_number = listed.original_number
    AND contact.app_number = listed.app_number
ORDER BY listed.expires, 1, 2, listed.subscription_id;
