-- active-subscriptions: Subscriptions that run at each month's end
-- How many subscriptions are paid for, on trial, retried or unknown at each month's end, and how many will renew?
--
-- Grain: one row per environment, bundle_id, month, product_id
-- Aliases: actives, subscribers, status, active-trials, subscriptions-active
--
-- Parameters:
--   :by  text(app, product)  app  whether rows are split by product, too
--
-- Columns:
--   environment    text     environment of the subscriptions
--   bundle_id      text     bundle identifier of the app
--   month          month    a month that was over at the app's newest document
--   product_id     text     product of the period that runs; (all) unless :by is product
--   active         integer(subscriptions)  subscriptions that are paid for, free after a payment, or in a grace period
--                                          that a document states
--   active_trials  integer(subscriptions)  running trials, including those in a grace period
--   in_grace       integer(subscriptions)  of the active, those in a grace period
--   retrying       integer(subscriptions)  subscriptions whose period is over while the store retries the payment; not
--                                          included in active
--   unknown        integer(subscriptions)  subscriptions whose period is over, and of which no document states what
--                                          followed; not included in active
--   change         integer(subscriptions)  active less active of the previous month
--   set_to_renew   integer(subscriptions)  of the active, those that will renew, as the newest renewal info about the
--                                          period that runs stated by the month's end
--   set_to_end     integer(subscriptions)  of the active, those that will not renew, as that renewal info stated
--   billing_issue  integer(subscriptions)  of the active, those whose payment was being retried, as that renewal info
--                                          stated
--   untold         integer(subscriptions)  of the active, those of whose period no renewal info had stated by then
--                                          whether they will renew
-- Shown: bundle_id, month, product_id, active, active_trials, set_to_renew, set_to_end, billing_issue, untold, unknown
-- Chart: area  x=month  y=active,active_trials
--        lines  x=month  y=active  series=bundle_id
--
-- Panel:
--   place     4
--   title     Active subscriptions by app
--   chart     area  x=month  y=active  series=bundle_id
--   missing   No subscription is known in these months.
--
-- Notes:
--   Members' shares (family, assigned seats) are left out: the buyer's subscription counts once. A subscription whose
--   renewal is turned off is active until its end. Of a commitment billed by the month, set_to_renew and set_to_end
--   say whether another commitment follows; what a renewal info states counts until the next payment.
--   Apps are not summed, since their documents reach to different days (last_day in the report coverage). Rows begin
--   with the first month at whose end a subscription or trial runs; the report subscription-churn has earlier months if
--   subscriptions were lost in the month in which they began.
--
-- Example:
--   receiptmill report active-subscriptions --database mill.sqlite by=product

WITH changes AS (
    SELECT
        change.app_id,
        CASE WHEN coalesce(:by, 'app') = 'product' THEN change.product_number ELSE 0 END AS product_number,
        change.month_number, sum(CASE WHEN change.state = 'active' THEN change.change ELSE 0 END) AS active,
        sum(CASE WHEN change.state = 'trial' THEN change.change ELSE 0 END) AS trial,
        sum(CASE WHEN change.state = 'grace' THEN change.change ELSE 0 END) AS grace,
        sum(CASE WHEN change.state = 'set_to_renew' THEN change.change ELSE 0 END) AS set_to_renew,
        sum(CASE WHEN change.state = 'set_to_end' THEN change.change ELSE 0 END) AS set_to_end,
        sum(CASE WHEN change.state = 'billing_issue' THEN change.change ELSE 0 END) AS billing_issue,
        sum(CASE WHEN change.state = 'retrying' THEN change.change ELSE 0 END) AS retrying,
        sum(CASE WHEN change.state = 'unknown' THEN change.change ELSE 0 END) AS unknown
    FROM apps
    JOIN model_active_changes AS change ON change.app_id = apps.app_id
    WHERE change.month_number <= apps.complete_month
    GROUP BY 1, 2, 3
),

series AS (
    SELECT app_id, product_number, min(month_number) AS first_month FROM changes GROUP BY app_id, product_number
),

running AS (
    SELECT
        series.app_id, series.product_number, month.month_number, month.month, coalesce(changes.active, 0) AS change,
        sum(coalesce(changes.active, 0)) OVER so_far AS active, sum(coalesce(changes.trial, 0)) OVER so_far AS trial,
        sum(coalesce(changes.grace, 0)) OVER so_far AS grace,
        sum(coalesce(changes.set_to_renew, 0)) OVER so_far AS set_to_renew,
        sum(coalesce(changes.set_to_end, 0)) OVER so_far AS set_to_end,
        sum(coalesce(changes.billing_issue, 0)) OVER so_far AS billing_issue,
        sum(coalesce(changes.retrying, 0)) OVER so_far AS retrying,
        sum(coalesce(changes.unknown, 0)) OVER so_far AS unknown
    FROM series
    JOIN apps ON apps.app_id = series.app_id
    JOIN model_months AS month ON month.month_number >= series.first_month AND month.month_number <= apps.complete_month
    LEFT JOIN changes ON changes.app_id = series.app_id AND changes.product_number = series.product_number
        AND changes.month_number = month.month_number
    WINDOW so_far AS (
        PARTITION BY series.app_id, series.product_number ORDER BY month.month_number
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)

SELECT
    apps.environment, apps.bundle_id, running.month,
    CASE WHEN coalesce(:by, 'app') = 'product' THEN coalesce(product.product_id, '(none)') ELSE '(all)' END AS product_id,
    running.active, running.trial AS active_trials, running.grace AS in_grace, running.retrying, running.unknown,
    running.change, running.set_to_renew, running.set_to_end, running.billing_issue,
    running.active - running.set_to_renew - running.set_to_end - running.billing_issue AS untold
FROM running
JOIN apps ON apps.app_id = running.app_id
JOIN months ON months.month_number = running.month_number
LEFT JOIN product ON product.product_number = running.product_number
ORDER BY 1, 2, 3, 4;
