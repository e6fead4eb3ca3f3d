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

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    coalesce(product_id, '(none)') AS product_id,
    calendar.period AS month,
    CASE WHEN canceled.is_upgraded = 1 THEN coalesce(next_product_id, '(none)') ELSE '(none)' END AS next_product_id,
    count(*) AS periods
FROM subscription_terms AS terms
-- Grouped, so that SQLite finds it by an index.
JOIN (
    SELECT app_number, transaction_id, max(is_upgraded) AS is_upgraded
    FROM purchase_states
    WHERE cancellation_ms IS NOT NULL
    GROUP BY transaction_id, app_number
) AS canceled
    ON canceled.app_number = terms.app_number
    AND canceled.transaction_id = terms.transaction_id
JOIN calendar_grains AS calendar
    ON calendar.grain = coalesce(:grain, 'month')
    AND calendar.day_number = terms.cancellation_day
WHERE terms.cancellation_second IS NOT NULL
    AND calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
    AND (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', bundle_id)
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5;
