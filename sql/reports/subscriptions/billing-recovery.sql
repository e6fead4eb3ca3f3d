-- billing-recovery: Failed billing, and what came back of it
-- When a renewal could not be charged, how many subscriptions recovered, how soon, and how many were lost?
--
-- Grain: one row per environment, bundle_id, product_id, month
--
-- Parameters:
--   :environment  environments    Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle          all      bundle identifier of the app; or all
--   :from         month           2008-01  first month; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12  last month, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment          text                    environment of the subscriptions
--   bundle_id            text                    bundle identifier of the app
--   product_id           text                    product of the period that could not be renewed
--   month                month                   month of that period's expiration, in UTC; with :grain week the Monday
--                                                of the week, with day the day
--   entered              integer(subscriptions)  periods that went into billing retry: recovered, lost and open
--   with_grace           integer(subscriptions)  of these, those with a grace period
--   recovered            integer(subscriptions)  renewed within 60 days of the expiration
--   recovered_in_grace   integer(subscriptions)  of these, before the grace period was over
--   recovered_in_retry   integer(subscriptions)  of these, after it, or without one
--   recovered_in_1       integer(subscriptions)  of the recovered, within 1 day of the expiration
--   recovered_in_3       integer(subscriptions)  within 3 days
--   recovered_in_7       integer(subscriptions)  within 7 days
--   recovered_in_16      integer(subscriptions)  within 16 days
--   median_days          real(days)              median from the expiration to the next period, of the recovered
--   lost                 integer(subscriptions)  not renewed within 60 days, or given up by the store or the customer
--   returned_later       integer(subscriptions)  of the lost, those that began again after the 60 days
--   open                 integer(subscriptions)  neither: 60 days are not over, or nothing made since tells
--   recovery_rate        share                   recovered per recovered and lost
--   billed_by_customer   integer(subscriptions)  of the recovered, those that the customer bought anew
--
-- Chart: bars  x=month  y=recovered_in_grace,recovered_in_retry,lost,open
--
-- Notes:
--   Renewal infos tell of billing retry: a failure that was over before the next one was
--   signed is not seen, nor is one of a subscription that receipts alone tell of.
--   The store tries for up to 60 days. A recovered subscription's next period begins when
--   it was charged; where that is dated back to the expiration, it counts as 0 days.
--   Recent months have had less time to recover: mind open before comparing rates.
--   A subscription that fails twice counts twice. Family members' shares are left out.
--
-- Example:
--   receiptmill report billing-recovery --database mill.sqlite --param from=2025-01

WITH failed AS (
    SELECT
        app_number,
        subscription_id,
        start_second,
        max(grace_second) AS grace_second,
        max(
            CASE
                WHEN place = 1 AND expiration_intent IS NOT NULL AND coalesce(is_in_billing_retry, 0) = 0
                    THEN signed_second
            END
        ) AS given_up_second
    FROM period_renewals
    GROUP BY app_number, subscription_id, start_second
    HAVING max(is_in_billing_retry) = 1
        OR max(grace_second) IS NOT NULL
),

periods AS (
    SELECT
        environment,
        bundle_id,
        app_number,
        subscription_id,
        product_id,
        start_second,
        expiry_second,
        next_start_second,
        lead(transaction_reason) OVER (
            PARTITION BY app_number, subscription_id ORDER BY start_second, expiry_second, transaction_id
        ) AS next_reason
    FROM priced_periods
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

entered AS (
    SELECT
        periods.*,
        (
            periods.expiry_second + zone_offset.second - (periods.expiry_second + zone_offset.second) % 86400
        ) / 86400 AS expiry_day,
        failed.grace_second,
        failed.given_up_second
    FROM periods
    CROSS JOIN zone_offset
    JOIN failed
        ON failed.app_number = periods.app_number
        AND failed.subscription_id = periods.subscription_id
        AND failed.start_second = periods.start_second
),

horizons AS (
    SELECT app_number, subscription_id, max(known_until_ms) AS known_until_ms
    FROM subscription_horizons
    GROUP BY app_number, subscription_id
),

judged AS (
    SELECT
        coalesce(entered.environment, '(none)') AS environment,
        coalesce(entered.bundle_id, '(none)') AS bundle_id,
        coalesce(entered.product_id, '(none)') AS product_id,
        calendar.period AS month,
        CASE WHEN entered.grace_second IS NULL THEN 0 ELSE 1 END AS has_grace,
        CASE WHEN entered.next_start_second <= entered.grace_second THEN 1 ELSE 0 END AS is_in_grace,
        CASE WHEN entered.next_start_second IS NULL THEN 0 ELSE 1 END AS is_followed,
        CASE WHEN entered.next_reason = 'PURCHASE' THEN 1 ELSE 0 END AS is_bought,
        CASE
            WHEN entered.next_start_second <= entered.expiry_second THEN 0
            ELSE entered.next_start_second - entered.expiry_second
        END AS seconds,
        CASE
            WHEN entered.next_start_second <= entered.expiry_second + 60 * 86400 THEN 'recovered'
            WHEN entered.next_start_second IS NOT NULL OR entered.given_up_second >= entered.expiry_second
                THEN 'lost'
            WHEN horizons.known_until_ms >= (entered.expiry_second + 60 * 86400) * 1000 THEN 'lost'
            ELSE 'open'
        END AS fate
    FROM entered
    JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = entered.expiry_day
    LEFT JOIN horizons
        ON horizons.app_number = entered.app_number
        AND horizons.subscription_id = entered.subscription_id
    WHERE substr(calendar.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
),

ranked AS (
    SELECT
        judged.*,
        row_number() OVER (
            PARTITION BY environment, bundle_id, product_id, month, fate ORDER BY seconds
        ) AS place,
        count(*) OVER (PARTITION BY environment, bundle_id, product_id, month, fate) AS places
    FROM judged
)

SELECT
    environment,
    bundle_id,
    product_id,
    month,
    count(*) AS entered,
    sum(has_grace) AS with_grace,
    sum(CASE WHEN fate = 'recovered' THEN 1 ELSE 0 END) AS recovered,
    sum(CASE WHEN fate = 'recovered' THEN is_in_grace ELSE 0 END) AS recovered_in_grace,
    sum(CASE WHEN fate = 'recovered' THEN 1 - is_in_grace ELSE 0 END) AS recovered_in_retry,
    sum(CASE WHEN fate = 'recovered' AND seconds <= 86400 THEN 1 ELSE 0 END) AS recovered_in_1,
    sum(CASE WHEN fate = 'recovered' AND seconds <= 3 * 86400 THEN 1 ELSE 0 END) AS recovered_in_3,
    sum(CASE WHEN fate = 'recovered' AND seconds <= 7 * 86400 THEN 1 ELSE 0 END) AS recovered_in_7,
    sum(CASE WHEN fate = 'recovered' AND seconds <= 16 * 86400 THEN 1 ELSE 0 END) AS recovered_in_16,
    -- Of an even number the mean of the two in the middle.
    round(
        avg(
            CASE
                WHEN fate = 'recovered' AND 2 * place BETWEEN places AND places + 2
                    THEN CAST(seconds AS DOUBLE) / 86400
            END
        ),
        4) AS median_days,
    sum(CASE WHEN fate = 'lost' THEN 1 ELSE 0 END) AS lost,
    sum(CASE WHEN fate = 'lost' THEN is_followed ELSE 0 END) AS returned_later,
    sum(CASE WHEN fate = 'open' THEN 1 ELSE 0 END) AS open,
    round(
        CAST(sum(CASE WHEN fate = 'recovered' THEN 1 ELSE 0 END) AS DOUBLE)
            / nullif(sum(CASE WHEN fate = 'open' THEN 0 ELSE 1 END), 0),
        4) AS recovery_rate,
    sum(CASE WHEN fate = 'recovered' THEN is_bought ELSE 0 END) AS billed_by_customer
FROM ranked
GROUP BY environment, bundle_id, product_id, month
ORDER BY 1, 2, 3, 4;
