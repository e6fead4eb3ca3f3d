-- renewals-due: Renewals that are due, and those that will not come
-- Which subscriptions are to renew within some days, at which price, who owns them, and which will not renew, and why?
--
-- Grain: one row per environment, bundle_id, subscription_id
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all   bundle identifier of the app; or all
--   :as_of        date(2008-01-01..2040-12-31)  null  day as of whose last second it is asked; the moment of the app's
--                                                     newest document unless set
--   :days         integer(1..)   30    days ahead from that moment
--
-- Columns:
--   environment            text                 environment of the subscription
--   bundle_id              text                 bundle identifier of the app
--   subscription_id        text                 original transaction identifier
--   owner                  text                 who presented it: account, else device; (none) where nobody did
--   owner_kind             text                 account, device or none
--   account_id             text                 account to contact
--   device_id              text                 device that was seen last beside that account
--   last_seen              time                 when the owner presented anything of the app last
--   product_id             text                 product of the period that runs
--   sale_kind              text                 full, introductory, promotional, offer_code, win_back, other_offer or
--                                               free
--   renewal_date           time                 when it renews: the renewal info's word, else the end of the period
--   days_left              integer(days)        whole days until then; negative in billing retry
--   outlook                text                 renews; ends: renewal is turned off; consent_missing: it ends unless
--                                               the customer agrees to a higher price; billing_retry: not charged yet;
--                                               unknown: no renewal info
--   product_after          text                 product that it renews to; null where no renewal info tells
--   renewal_milliunits     integer(milliunits)  price then, in thousandths of the currency; null where it ends
--   currency               text                 currency of that price (ISO 4217); (none) where there is no price
--   renewal_price_source   text                 renewal_info; running_signed, running_list: the price of the period that
--                                               runs, signed or by your list, where it is the full price of the same
--                                               product; none
--   offer_type             integer              offer of the next period: 1 introductory, 2 promotional, 3 code, 4 win-
--                                               back
--   offer_id               text                 its identifier or code
--   auto_renew_status      integer              1: it is to renew; 0: turned off
--   expiration_intent      integer              why it ended: 1 the customer, 2 billing, 3 a price increase, 4 product
--                                               gone, 5 other
--   grace_until            time                 in billing retry: until when it may be used meanwhile
--   price_increase_status  integer              0: the customer has not agreed to a higher price; 1: agreed, or need
--                                               not
--   info_signed            time                 when the renewal info was signed that tells all this
--   next_starts            time                 begin of the next period, where one is known by now
--   as_of                  time                 the moment asked
--
-- Chart: bars  x=product_id  y=renewal_milliunits  series=outlook
--
-- Notes:
--   Renewal infos count that were signed in the period that runs, until the moment asked;
--   the last one tells. What an earlier period's said is over. A customer may change their
--   mind after it: info_signed says how old it is.
--   In billing retry are periods that ended up to 60 days before the moment asked; they are
--   due now, whatever :days is. Others whose period is over are no longer due.
--   Prices are what customers will pay, taxes and commission included. Only rows whose
--   outlook is renews are likely revenue, and unknown ones may have been turned off. Never
--   add different currencies.
--   A trial's renewal price is known only where its renewal info states one.
--   A subscription presented by accounts and devices is shown under the account that
--   presented it last. Family members' shares are left out: they don't renew.
--   As of a day of the past it is asked what was due then; next_starts tells what came.
--
-- Example:
--   receiptmill report renewals-due --database mill.sqlite --param days=7

WITH moments AS (
    SELECT
        app_horizons.app_number,
        CASE
            WHEN :as_of IS NULL THEN app_horizons.second
            ELSE calendar.day_number * 86400 + 86399 - (SELECT second FROM zone_offset)
        END AS second,
        coalesce(:as_of || 'T23:59:59' || (SELECT suffix FROM zone_offset), app_horizons.as_of) AS as_of
    FROM app_horizons
    JOIN calendar ON calendar.day = coalesce(:as_of, app_horizons.day)
),

latest AS (
    SELECT
        told.*,
        row_number() OVER (
            PARTITION BY told.app_number, told.subscription_id, told.start_second ORDER BY told.place
        ) AS place_then
    FROM period_renewals AS told
    JOIN moments ON moments.app_number = told.app_number
    WHERE told.signed_second <= moments.second
),

-- One row for each period as it is; grouped, so that SQLite finds it by an index.
infos AS (
    SELECT
        app_number,
        subscription_id,
        start_second,
        max(signed_at) AS signed_at,
        max(auto_renew_product_id) AS auto_renew_product_id,
        max(auto_renew_status) AS auto_renew_status,
        max(expiration_intent) AS expiration_intent,
        max(is_in_billing_retry) AS is_in_billing_retry,
        max(grace_period_expires_date) AS grace_until,
        max(renewal_second) AS renewal_second,
        max(renewal_date) AS renewal_date,
        max(renewal_price_milliunits) AS renewal_price_milliunits,
        max(currency) AS currency,
        max(offer_type) AS offer_type,
        max(offer_id) AS offer_id,
        max(price_increase_status) AS price_increase_status
    FROM latest
    WHERE place_then = 1
    GROUP BY app_number, subscription_id, start_second
),

-- The period that began last of those begun by then.
running AS (
    SELECT periods.*, moments.second AS moment_second, moments.as_of
    FROM priced_periods AS periods
    JOIN moments ON moments.app_number = periods.app_number
    WHERE periods.start_second <= moments.second
        -- Follows from the others, and spares what is not due by any app's moment the look-up of its price.
        AND periods.start_second <= (SELECT max(second) FROM moments)
        AND periods.end_second > (SELECT min(second) FROM moments) - 60 * 86400
        AND coalesce(periods.next_start_second, moments.second + 1) > moments.second
        AND coalesce(periods.cancellation_second, moments.second + 1) > moments.second
        AND periods.expiry_second > moments.second - 60 * 86400
        -- An upgrade whose next period nobody knows is due at a time that nobody knows.
        AND (periods.is_upgraded = 0 OR periods.next_start_second IS NOT NULL)
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || periods.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', periods.bundle_id)
),

due AS (
    SELECT
        running.*,
        coalesce(infos.renewal_second, running.expiry_second) AS due_second,
        coalesce(infos.renewal_date, running.expires) AS renewal_date,
        CASE
            WHEN infos.is_in_billing_retry = 1 THEN 'billing_retry'
            WHEN infos.auto_renew_status = 0 THEN 'ends'
            WHEN infos.price_increase_status = 0 THEN 'consent_missing'
            WHEN infos.auto_renew_status = 1 THEN 'renews'
            ELSE 'unknown'
        END AS outlook,
        CASE
            WHEN infos.auto_renew_status = 0 THEN 'none'
            WHEN infos.renewal_price_milliunits IS NOT NULL THEN 'renewal_info'
            WHEN running.sale = 'full' AND running.price_milliunits IS NOT NULL
                AND coalesce(infos.auto_renew_product_id, running.product_id) = running.product_id
                THEN 'running_' || running.price_source
            ELSE 'none'
        END AS renewal_source,
        infos.renewal_price_milliunits,
        infos.currency AS renewal_currency,
        infos.auto_renew_product_id,
        infos.offer_type,
        infos.offer_id,
        infos.auto_renew_status,
        infos.expiration_intent,
        infos.grace_until,
        infos.price_increase_status,
        infos.signed_at
    FROM running
    LEFT JOIN infos
        ON infos.app_number = running.app_number
        AND infos.subscription_id = running.subscription_id
        AND infos.start_second = running.start_second
),

shown AS (
    SELECT *
    FROM due
    WHERE (expiry_second <= moment_second AND outlook = 'billing_retry')
        OR (
            expiry_second > moment_second
            AND due_second <= moment_second + 86400 * coalesce(CAST(:days AS BIGINT), 30)
        )
),

contact AS (
    SELECT contacts.*
    FROM (SELECT DISTINCT original_number, app_number FROM shown) AS few
    CROSS JOIN subscription_contacts AS contacts
    WHERE contacts.original_number = few.original_number
        AND contacts.app_number = few.app_number
)

SELECT
    coalesce(shown.environment, '(none)') AS environment,
    coalesce(shown.bundle_id, '(none)') AS bundle_id,
    shown.subscription_id,
    coalesce(contact.owner, '(none)') AS owner,
    coalesce(contact.owner_kind, 'none') AS owner_kind,
    contact.account_id,
    contact.device_id,
    contact.last_seen,
    coalesce(shown.product_id, '(none)') AS product_id,
    shown.sale AS sale_kind,
    shown.renewal_date,
    CAST(
        (
            shown.due_second - shown.moment_second
            - (shown.due_second - shown.moment_second) % 86400
        ) / 86400 AS BIGINT) AS days_left,
    shown.outlook,
    shown.auto_renew_product_id AS product_after,
    CASE shown.renewal_source
        WHEN 'renewal_info' THEN shown.renewal_price_milliunits
        WHEN 'running_signed' THEN shown.price_milliunits
        WHEN 'running_list' THEN shown.price_milliunits
    END AS renewal_milliunits,
    CASE shown.renewal_source
        WHEN 'renewal_info' THEN coalesce(shown.renewal_currency, '(none)')
        WHEN 'running_signed' THEN coalesce(shown.currency, '(none)')
        WHEN 'running_list' THEN coalesce(shown.currency, '(none)')
        ELSE '(none)'
    END AS currency,
    shown.renewal_source AS renewal_price_source,
    shown.offer_type,
    shown.offer_id,
    shown.auto_renew_status,
    shown.expiration_intent,
    shown.grace_until,
    shown.price_increase_status,
    shown.signed_at AS info_signed,
    shown.next_starts,
    shown.as_of
FROM shown
LEFT JOIN contact
    ON contact.original_number = shown.original_number
    AND contact.app_number = shown.app_number
ORDER BY 1, 2, shown.renewal_date, 3;
