-- new-subscriptions: Trials and paid subscriptions that began
-- How many subscriptions began in each month, on trial or paid, and how did the paid ones come?
--
-- Grain: one row per environment, bundle_id, month, product_id
--
-- Aliases: activations, new-paid, new-trials
--
-- Parameters:
--   :by  text(app, product)  app  whether rows are told apart by product, too
--
-- Columns:
--   environment  text     environment of the subscriptions
--   bundle_id    text     bundle identifier of the app
--   month        month    month in which the trial or the first paid period started
--   product_id   text     product of that period; (all) unless :by is product
--   new_trials   integer(subscriptions)  first trials
--   new_paid     integer(subscriptions)  first paid periods
--   direct       integer(subscriptions)  of the new_paid, those at the full price without a trial before
--   from_trial   integer(subscriptions)  of the new_paid, those after a trial
--   from_offer   integer(subscriptions)  of the new_paid, those at an offer without a trial before
--   is_complete  integer  1: the newest document of the app is later than the month; 0: the month is open
--
-- Total: new_trials, new_paid, direct, from_trial, from_offer
--
-- Chart: bars  x=month  y=new_trials,new_paid
--
-- Notes:
--   Who comes back under the same original transaction is not new; see reactivation in recurring-revenue.
--
-- Example:
--   receiptmill report new-subscriptions --database mill.sqlite

SELECT
    apps.environment, apps.bundle_id, months.month,
    CASE WHEN coalesce(:by, 'app') = 'product' THEN coalesce(product.product_id, '(none)') ELSE '(all)' END AS product_id,
    sum(CASE WHEN begun.way = 'trial' THEN begun.subscriptions ELSE 0 END) AS new_trials,
    sum(CASE WHEN begun.way <> 'trial' THEN begun.subscriptions ELSE 0 END) AS new_paid,
    sum(CASE WHEN begun.way = 'direct' THEN begun.subscriptions ELSE 0 END) AS direct,
    sum(CASE WHEN begun.way = 'from_trial' THEN begun.subscriptions ELSE 0 END) AS from_trial,
    sum(CASE WHEN begun.way = 'from_offer' THEN begun.subscriptions ELSE 0 END) AS from_offer,
    max(CASE WHEN months.month_number <= apps.complete_month THEN 1 ELSE 0 END) AS is_complete
FROM apps
JOIN model_new_subscriptions AS begun ON begun.app_id = apps.app_id
JOIN months ON months.month_number = begun.month_number
LEFT JOIN product ON product.product_number = begun.product_number
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4;
