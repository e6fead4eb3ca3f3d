-- churn-causes: Why subscriptions lapse
-- Of the subscriptions that lapsed in each month, how many did the customer end, how many did billing, and what else?
--
-- Grain: one row per environment, bundle_id, product_id, month
--
-- Parameters:
--   :environment  environments      Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle            all                       bundle identifier of the app; or all
--   :grace_days   integer(0..3650)  16                        days after its end within which a renewal still
--                                                             continues a subscription
--   :from         month             2008-01                   first month; a week belongs to the month of its Monday
--   :until        month(:from..)    9999-12                   last month, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment       text                    environment of the subscriptions
--   bundle_id         text                    bundle identifier of the app
--   product_id        text                    product of the period that ended
--   month             month                   month of its end, in UTC; with :grain week the Monday of the week, with
--                                             day the day
--   lapsed            integer(subscriptions)  subscriptions known to have ended without a renewal within the grace;
--                                             the eight columns that follow add up to it
--   by_refund         integer(subscriptions)  ended by a refund
--   voluntary         integer(subscriptions)  ended by the customer: the store says so, or renewal was turned off
--   billing           integer(subscriptions)  billing failed: the store says so, or still tries to charge
--   price_increase    integer(subscriptions)  the customer did not agree to a higher price
--   product_gone      integer(subscriptions)  the product was not for sale
--   other             integer(subscriptions)  the store says another reason
--   cause_untold      integer(subscriptions)  renewal infos of the period tell of no end
--   cause_unknown     integer(subscriptions)  no renewal info of the period is known
--   voluntary_share   share                   voluntary per lapsed of known cause
--   billing_share     share                   billing per lapsed of known cause
--   free_lapsed       integer(subscriptions)  of the lapsed, those whose last period was a trial, or free
--   fate_unknown      integer(subscriptions)  not lapsed: period over, and no document made since the grace tells of
--                                             the subscription
--   pending           integer(subscriptions)  not lapsed: period over, and the grace was not when the newest document
--                                             of the app was made
--
-- Chart: bars  x=month  y=voluntary,billing,price_increase,by_refund,cause_unknown
--        lines  x=month  y=voluntary_share,billing_share
--
-- Notes:
--   A lapse belongs to the month in which its period ended, and it is one where
--   subscription-churn counts one, if it is known: here each subscription has to be known
--   beyond the grace, by a document made since, or a renewal info signed after the end
--   states the reason.
--   A subscription in billing retry lapses once the grace has passed; billing-recovery
--   tells how many came back later. An upgrade is no lapse, nor is a renewal within the
--   grace. A subscription that lapses twice counts twice.
--   Causes are those of the last trusted renewal info of the period, signed before the
--   next began: its reason; else billing retry; else renewal turned off. A refund comes
--   first. Receipts alone tell no cause. Renewal turned off and not on again is the
--   customer's will even where no reason is stated.
--   Family members' shares are left out, non-renewing subscriptions too.
--   Refunded subscriptions are among those that shares are taken of.
--
-- Example:
--   receiptmill report churn-causes --database mill.sqlite --param from=2025-01

WITH days AS (
    SELECT 8 * day_number AS place, max(period) AS month
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
        AND substr(period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
    GROUP BY day_number
),

ended AS (
    SELECT
        lapses.app_number,
        lapses.product_number,
        lapses.cause,
        -- Day, whether it was free, and its fate: one number sorts faster than three.
        8 * lapses.end_day + 4 * lapses.is_free + CASE
            WHEN lapses.is_refunded = 1 THEN 0
            WHEN lapses.next_start_second IS NOT NULL OR lapses.is_told = 1 THEN 1
            WHEN lapses.known_until_ms
                >= (lapses.end_second + 86400 * coalesce(CAST(:grace_days AS BIGINT), 16)) * 1000 THEN 1
            WHEN lapses.horizon_second
                < lapses.end_second + 86400 * coalesce(CAST(:grace_days AS BIGINT), 16) THEN 2
            ELSE 3
        END AS state
    FROM subscription_lapses AS lapses
    WHERE lapses.end_second <= lapses.horizon_second
        AND (
            lapses.next_start_second IS NULL
            OR lapses.next_start_second
                > lapses.end_second + 86400 * coalesce(CAST(:grace_days AS BIGINT), 16)
        )
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || lapses.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', lapses.bundle_id)
),

-- Counted by number, and the names joined behind.
counted AS (
    SELECT app_number, product_number, state, cause, count(*) AS subscriptions
    FROM ended
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY state, product_number, cause, app_number
),

judged AS (
    SELECT
        counted.app_number,
        counted.product_number,
        days.month,
        CASE WHEN counted.state % 8 >= 4 THEN 1 ELSE 0 END AS is_free,
        CASE counted.state % 4
            WHEN 0 THEN 'refunded'
            WHEN 1 THEN 'told'
            WHEN 2 THEN 'pending'
            ELSE 'fate_unknown'
        END AS fate,
        coalesce(counted.cause, 'cause_unknown') AS cause,
        counted.subscriptions
    FROM counted
    JOIN days ON days.place = counted.state - counted.state % 8
),

summed AS (
    SELECT
        app_number,
        product_number,
        month,
        sum(CASE WHEN fate IN ('refunded', 'told') THEN subscriptions ELSE 0 END) AS lapsed,
        sum(CASE WHEN fate = 'refunded' THEN subscriptions ELSE 0 END) AS by_refund,
        sum(CASE WHEN fate = 'told' AND cause = 'voluntary' THEN subscriptions ELSE 0 END) AS voluntary,
        sum(CASE WHEN fate = 'told' AND cause = 'billing' THEN subscriptions ELSE 0 END) AS billing,
        sum(CASE WHEN fate = 'told' AND cause = 'price_increase' THEN subscriptions ELSE 0 END) AS price_increase,
        sum(CASE WHEN fate = 'told' AND cause = 'product_gone' THEN subscriptions ELSE 0 END) AS product_gone,
        sum(CASE WHEN fate = 'told' AND cause = 'other' THEN subscriptions ELSE 0 END) AS other,
        sum(CASE WHEN fate = 'told' AND cause = 'cause_untold' THEN subscriptions ELSE 0 END) AS cause_untold,
        sum(CASE WHEN fate = 'told' AND cause = 'cause_unknown' THEN subscriptions ELSE 0 END) AS cause_unknown,
        sum(CASE WHEN fate IN ('refunded', 'told') THEN is_free * subscriptions ELSE 0 END) AS free_lapsed,
        sum(CASE WHEN fate = 'fate_unknown' THEN subscriptions ELSE 0 END) AS fate_unknown,
        sum(CASE WHEN fate = 'pending' THEN subscriptions ELSE 0 END) AS pending
    FROM judged
    GROUP BY month, product_number, app_number
)

SELECT
    coalesce(seen.environment, '(none)') AS environment,
    coalesce(seen.bundle_id, '(none)') AS bundle_id,
    coalesce(product_names.product_id, '(none)') AS product_id,
    month,
    lapsed,
    by_refund,
    voluntary,
    billing,
    price_increase,
    product_gone,
    other,
    cause_untold,
    cause_unknown,
    round(CAST(voluntary AS DOUBLE) / nullif(lapsed - cause_untold - cause_unknown, 0), 4) AS voluntary_share,
    round(CAST(billing AS DOUBLE) / nullif(lapsed - cause_untold - cause_unknown, 0), 4) AS billing_share,
    free_lapsed,
    fate_unknown,
    pending
FROM summed
JOIN app_names AS seen ON seen.app_number = summed.app_number
LEFT JOIN product_names ON product_names.product_number = summed.product_number
ORDER BY 1, 2, 3, 4;
