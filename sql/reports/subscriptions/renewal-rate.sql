-- renewal-rate: Paid periods that were renewed when they were due
-- Of the paid periods that were to expire in a month, what share was renewed, at once or while the store retried?
--
-- Grain: one row per environment, bundle_id, month, product_id
-- Aliases: renewals
--
-- Parameters:
--   :by  text(app, product)  app  whether rows are split by product, too
--
-- Columns:
--   environment   text     environment of the subscriptions
--   bundle_id     text     bundle identifier of the app
--   month         month    month in which the periods were to expire
--   product_id    text     product of the periods; (all) unless :by is product
--   due           integer(periods)  periods that were to expire, without those that were changed or refunded, are being
--                                   retried, or have an unknown outcome
--   renewed       integer(periods)  of the due, those renewed within a day
--   recovered     integer(periods)  of the due, those paid later, while the store retried the payment
--   renewal_rate  share    (renewed + recovered) ÷ due; empty until 60 days after the month, and while any period is
--                          retrying
--   unknown       integer(periods)  periods whose outcome no document states; not included in due
--   retrying      integer(periods)  periods whose payment is being retried; not included in due
--   mature_on     date     day from which renewal_rate is shown, unless the payment of a commitment is still being
--                          retried
--
-- Total: due, renewed, recovered, unknown, retrying
-- Chart: lines  x=month  y=renewal_rate  n=due  series=bundle_id
--
-- Notes:
--   A period that a change of the product cut short, or that was refunded while it ran, was not due. Trials are not
--   included. A month in which nothing was due has a row, too, from the first month on.
--
-- Example:
--   receiptmill report renewal-rate --database mill.sqlite by=product

WITH counted AS (
    SELECT
        lapse.app_id, lapse.month_number,
        CASE WHEN coalesce(:by, 'app') = 'product' THEN lapse.product_number ELSE 0 END AS product_number,
        sum(lapse.due) AS due, sum(lapse.renewed) AS renewed, sum(lapse.recovered) AS recovered,
        sum(lapse.due_unknown) AS unknown, sum(lapse.due_retrying) AS retrying
    FROM apps
    JOIN model_lapses AS lapse ON lapse.app_id = apps.app_id
    WHERE lapse.month_number <= apps.complete_month
    GROUP BY 1, 2, 3
),

series AS (
    SELECT app_id, product_number, min(month_number) AS first_month
    FROM counted
    WHERE due + unknown + retrying > 0
    GROUP BY app_id, product_number
)

SELECT
    apps.environment, apps.bundle_id, months.month,
    CASE WHEN coalesce(:by, 'app') = 'product' THEN coalesce(product.product_id, '(none)') ELSE '(all)' END AS product_id,
    coalesce(counted.due, 0) AS due, coalesce(counted.renewed, 0) AS renewed,
    coalesce(counted.recovered, 0) AS recovered,
    CASE
        WHEN months.ends_ms + 5184000000 <= apps.horizon_ms + 1000 AND counted.retrying = 0 AND counted.due > 0
            THEN round(CAST(counted.renewed + counted.recovered AS DOUBLE) / counted.due, 4)
    END AS renewal_rate,
    coalesce(counted.unknown, 0) AS unknown, coalesce(counted.retrying, 0) AS retrying, mature.day AS mature_on
FROM series
JOIN apps ON apps.app_id = series.app_id
JOIN months ON months.month_number >= series.first_month AND months.month_number <= apps.complete_month
LEFT JOIN counted ON counted.app_id = series.app_id AND counted.product_number = series.product_number
    AND counted.month_number = months.month_number
LEFT JOIN product ON product.product_number = series.product_number
LEFT JOIN model_days AS mature ON mature.day_number = months.last_day + 61
ORDER BY 1, 2, 3, 4;
