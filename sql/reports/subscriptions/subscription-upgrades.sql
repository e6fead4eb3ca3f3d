-- subscription-upgrades: Canceled periods: upgrades told apart from refunds
-- Of the subscription periods that were canceled in a month, which were upgrades, and to what?
--
-- Grain: one row per environment, bundle_id, product_id, month, next_product_id
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :from         date           2008-07-10                first day of cancellation that counts
--   :until        date(:from..)  9999-12-31                last day of cancellation that counts
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment      text              environment of the subscriptions
--   bundle_id        text              bundle identifier of the app
--   product_id       text              product of the period that was canceled
--   month            month             month of the cancellation, in UTC; with :grain week the Monday of the week, with
--                                      day the day
--   next_product_id  text              product that the subscription went on with; (none) for a refund or a
--                                      revoked family share
--   periods          integer(periods)  periods canceled
--
-- Chart: bars  x=month  y=periods  series=next_product_id
--
-- Notes:
--   An upgrade is told by a signed transaction, or looks like another product under the
--   same original transaction that begins within a minute of the cancellation. With a
--   type or reason of the store's it is a refund. Newer receipts may state no
--   cancellation for an upgrade; those don't show here.
--
-- Example:
--   receiptmill report subscription-upgrades --database mill.sqlite

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

-- Counted by number before names are joined.
counted AS (
    SELECT
        terms.app_number,
        terms.product_number,
        CASE WHEN canceled.is_upgraded = 1 THEN terms.next_product_id END AS next_product_id,
        terms.cancellation_day,
        count(*) AS periods
    FROM subscription_terms AS terms
    JOIN purchase_states AS canceled ON canceled.purchase_number = terms.purchase_number
    WHERE terms.cancellation_second IS NOT NULL
        AND terms.app_number IN (SELECT app_number FROM apps)
    GROUP BY terms.cancellation_day, terms.product_number, 3, terms.app_number
)

SELECT
    apps.environment,
    apps.bundle_id,
    coalesce(product_names.product_id, '(none)') AS product_id,
    calendar.period AS month,
    coalesce(counted.next_product_id, '(none)') AS next_product_id,
    sum(counted.periods) AS periods
FROM counted
JOIN apps ON apps.app_number = counted.app_number
JOIN calendar_grains AS calendar
    ON calendar.grain = coalesce(:grain, 'month')
    AND calendar.day_number = counted.cancellation_day
LEFT JOIN product_names ON product_names.product_number = counted.product_number
WHERE calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5;
