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

WITH counted AS (
    SELECT
        environment,
        bundle_id,
        product_id,
        purchase_day,
        cancellation_day,
        purchases,
        is_trial_period * purchases AS free_trials,
        is_upgraded * purchases AS upgrades,
        is_refund * purchases AS refunds
    FROM daily_purchases
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

by_day AS (
    SELECT environment, bundle_id, product_id, purchase_day AS day_number,
        purchases, free_trials, upgrades, refunds, 0 AS refunds_in_month
    FROM counted
    UNION ALL
    SELECT environment, bundle_id, product_id, cancellation_day, 0, 0, 0, 0, refunds
    FROM counted
    WHERE refunds > 0
)

SELECT
    coalesce(by_day.environment, '(none)') AS environment,
    coalesce(by_day.bundle_id, '(none)') AS bundle_id,
    coalesce(by_day.product_id, '(none)') AS product_id,
    calendar.period AS month,
    sum(by_day.purchases) AS purchases,
    sum(by_day.free_trials) AS free_trials,
    sum(by_day.upgrades) AS upgrades,
    sum(by_day.refunds) AS refunds,
    round(
        CAST(sum(by_day.refunds) AS DOUBLE)
        / nullif(sum(by_day.purchases) - sum(by_day.free_trials), 0), 4) AS refund_rate,
    sum(by_day.refunds_in_month) AS refunds_in_month
FROM by_day
JOIN calendar_grains AS calendar
    ON calendar.grain = coalesce(:grain, 'month')
    AND calendar.day_number = by_day.day_number
WHERE calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
-- The keys that differ most come first, which makes the sort cheaper.
GROUP BY 4, 3, 2, 1
ORDER BY 1, 2, 3, 4;
