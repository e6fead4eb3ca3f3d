-- new-subscriptions: Trials and paid subscriptions that began
-- How many trials and paid subscriptions began in each month, and how many paid ones followed a trial or an offer?
--
-- Grain: one row per environment, bundle_id, month, product_id
-- Aliases: activations, new-paid, new-trials
--
-- Parameters:
--   :by  text(app, product)  app  whether rows are split by product, too
--
-- Columns:
--   environment  text     environment of the subscriptions
--   bundle_id    text     bundle identifier of the app
--   month        month    month in which the trial or the first paid period started
--   product_id   text     product of the trial or paid period; (all) unless :by is product
--   new_trials   integer(subscriptions)  subscriptions whose first trial started
--   new_paid     integer(subscriptions)  subscriptions whose first paid period started
--   direct       integer(subscriptions)  of new_paid, those at the full price, without a trial before
--   from_trial   integer(subscriptions)  of new_paid, those after a trial
--   from_offer   integer(subscriptions)  of new_paid, those at an offer, without a trial before
--   is_complete  integer  1: the newest document of the app is later than the month; 0: the month is not over
--
-- Total: new_trials, new_paid, direct, from_trial, from_offer
-- Chart: bars  x=month  y=new_trials,new_paid
--
-- Panel:
--   place     5
--   title     New trials and paid subscriptions
--   chart     bars  x=month  y=new_trials,new_paid
--   missing   No subscription is known in these months.
--
-- Notes:
--   A subscription that returns under the same original transaction is not new; see reactivation in the report
--   recurring-revenue. A month without new subscriptions has a row, too, from the first month with one on.
--
-- Example:
--   receiptmill report new-subscriptions --database mill.sqlite

WITH counted AS (
    SELECT
        begun.app_id,
        CASE WHEN coalesce(:by, 'app') = 'product' THEN begun.product_number ELSE 0 END AS product_number,
        begun.month_number, sum(CASE WHEN begun.way = 'trial' THEN begun.subscriptions ELSE 0 END) AS new_trials,
        sum(CASE WHEN begun.way = 'direct' THEN begun.subscriptions ELSE 0 END) AS direct,
        sum(CASE WHEN begun.way = 'from_trial' THEN begun.subscriptions ELSE 0 END) AS from_trial,
        sum(CASE WHEN begun.way = 'from_offer' THEN begun.subscriptions ELSE 0 END) AS from_offer
    FROM apps
    JOIN internal_new_subscriptions AS begun ON begun.app_id = apps.app_id
    GROUP BY 1, 2, 3
),

series AS (
    SELECT app_id, product_number, min(month_number) AS first_month FROM counted GROUP BY app_id, product_number
)

SELECT
    apps.environment, apps.bundle_id, months.month,
    CASE WHEN coalesce(:by, 'app') = 'product' THEN coalesce(product.product_id, '(none)') ELSE '(all)' END AS product_id,
    coalesce(counted.new_trials, 0) AS new_trials,
    coalesce(counted.direct + counted.from_trial + counted.from_offer, 0) AS new_paid,
    coalesce(counted.direct, 0) AS direct, coalesce(counted.from_trial, 0) AS from_trial,
    coalesce(counted.from_offer, 0) AS from_offer,
    CASE WHEN months.month_number <= apps.complete_month THEN 1 ELSE 0 END AS is_complete
FROM series
JOIN apps ON apps.app_id = series.app_id
JOIN months ON months.month_number >= series.first_month AND months.month_number <= apps.last_month
LEFT JOIN counted ON counted.app_id = series.app_id AND counted.product_number = series.product_number
    AND counted.month_number = months.month_number
LEFT JOIN product ON product.product_number = series.product_number
ORDER BY 1, 2, 3, 4;
