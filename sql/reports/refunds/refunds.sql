-- refunds: Refunds by product and month
-- Which products are refunded, how often, and when?
--
-- Grain: one row per environment, bundle_id, product_id, month
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :from         date           2008-07-10                first day that counts, of purchases and of refunds
--   :until        date(:from..)  9999-12-31                last day that counts
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment       text     environment of the purchases
--   bundle_id         text     bundle identifier of the app
--   product_id        text     product bought
--   month             month    month of the purchases, and of refunds_in_month, in UTC; with :grain week the Monday of
--                              the week, with day the day
--   purchases         integer  transactions bought in the month, free trials included
--   free_trials       integer  of these, free trials, which nobody paid for
--   upgrades          integer  of these purchases, subscription periods canceled by an upgrade
--   refunds           integer  of these purchases, those refunded since, in whatever month; neither upgrades nor what
--                              cost nothing
--   refund_rate       share    refunds per purchase that is no free trial; null where there is none
--   refunds_in_month  integer  such refunds dated in the month, whenever the purchase was
--
-- Chart: lines  x=month  y=purchases,refunds  series=product_id
--        lines  x=month  y=refund_rate  n=purchases
--
-- Notes:
--   Family members' shares are left out: nobody bought them.
--   Every rate is a lower bound. A receipt shows a refund only if it was
--   refreshed afterwards, so recent months look better than they will turn out.
--   The rate follows the purchases of a month to their end: its numerator is part
--   of its denominator. To set refunds against the month in which the money went
--   back, read refunds_in_month.
--   A cancellation is a refund or a revoked family share; receipts don't tell them
--   apart. An upgrade is told by a signed transaction, or looks like another product
--   under the same original transaction that begins within a minute of the
--   cancellation; with a type or reason of the store's it is a refund, as in revenue.
--   A transaction counts once, however many receipts show it. Purchases without
--   a purchase date are left out.
--
-- Example:
--   receiptmill report refunds --database mill.sqlite --param from=2024-01-01

-- Counted by number, and the names joined behind.
WITH by_day AS (
    SELECT
        app_number,
        product_number,
        purchase_day AS day_number,
        purchases,
        is_trial_period * purchases AS free_trials,
        is_upgraded * purchases AS upgrades,
        is_refund * purchases AS refunds,
        0 AS refunds_in_month
    FROM daily_purchases
    UNION ALL
    SELECT app_number, product_number, cancellation_day, 0, 0, 0, 0, purchases
    FROM daily_purchases
    WHERE is_refund = 1
),

by_month AS (
    SELECT
        by_day.app_number,
        by_day.product_number,
        calendar.period AS month,
        sum(by_day.purchases) AS purchases,
        sum(by_day.free_trials) AS free_trials,
        sum(by_day.upgrades) AS upgrades,
        sum(by_day.refunds) AS refunds,
        sum(by_day.refunds_in_month) AS refunds_in_month
    FROM by_day
    JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = by_day.day_number
    WHERE calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY calendar.period, by_day.product_number, by_day.app_number
)

SELECT
    coalesce(app_names.environment, '(none)') AS environment,
    coalesce(app_names.bundle_id, '(none)') AS bundle_id,
    coalesce(product_names.product_id, '(none)') AS product_id,
    by_month.month,
    by_month.purchases,
    by_month.free_trials,
    by_month.upgrades,
    by_month.refunds,
    round(CAST(by_month.refunds AS DOUBLE) / nullif(by_month.purchases - by_month.free_trials, 0), 4) AS refund_rate,
    by_month.refunds_in_month
FROM by_month
JOIN app_names ON app_names.app_number = by_month.app_number
LEFT JOIN product_names ON product_names.product_number = by_month.product_number
WHERE (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || app_names.environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
ORDER BY 1, 2, 3, 4;
