-- plan-changes: Upgrades, downgrades and crossgrades
-- Between which products do subscribers change, and in which direction?
--
-- Grain: one row per environment, bundle_id, month, from_product, to_product, currency
-- Aliases: upgrades, downgrades, crossgrades, subscription-upgrades
--
-- Columns:
--   environment    text     environment of the subscriptions
--   bundle_id      text     bundle identifier of the app
--   month          month    month in which the new period starts
--   from_product   text     product before the change
--   to_product     text     product after the change
--   currency       text     currency of the credit (ISO 4217); (none) if no price is known
--   changes        integer(changes)  number of changes of product, billing plan or original transaction
--   upgrades       integer(changes)  of the changes, those to a higher monthly price
--   downgrades     integer(changes)  of the changes, those to a lower monthly price
--   crossgrades    integer(changes)  of the changes, those to the same monthly price
--   untold         integer(changes)  of the changes, those without two known prices in one currency
--   at_once        integer(changes)  of the changes, those that cut a period short; the others took effect at the
--                                    period's end
--   from_trial     integer(changes)  of the changes, those during a free trial
--   change_credit  money(currency)   estimate of what the store returned for periods cut short: price × unused time ÷
--                                    whole time
--
-- Shown: bundle_id, month, from_product, to_product, currency, changes, upgrades, downgrades, crossgrades, change_credit
-- Total: changes, upgrades, downgrades, crossgrades, untold, at_once, from_trial, change_credit
-- Chart: bars  x=month  y=upgrades,downgrades,crossgrades
--
-- Notes:
--   A change is a next period of the same subscription with another product, billing plan or original transaction (a
--   move into a bundle or to the Advanced Commerce API), at once or at the end of the period. The store ranks products
--   by levels that no signed document states, so the direction of a change is decided by the monthly price here. A
--   month without a change has a row, too, for each pair of products and currency, from its first change on.
--
-- Example:
--   receiptmill report plan-changes --database mill.sqlite from=all

WITH series AS (
    SELECT change.app_id, change.from_product_number, change.product_number, change.currency, min(day.month_number) AS first_month
    FROM model_plan_changes AS change
    JOIN model_days AS day ON day.day_number = change.day_number
    GROUP BY 1, 2, 3, 4
)

SELECT
    apps.environment, apps.bundle_id, months.month, coalesce(former.product_id, '(none)') AS from_product,
    coalesce(product.product_id, '(none)') AS to_product, coalesce(rates.into_currency, series.currency) AS currency,
    coalesce(sum(change.changes), 0) AS changes,
    sum(CASE WHEN change.direction = 'upgrade' THEN change.changes ELSE 0 END) AS upgrades,
    sum(CASE WHEN change.direction = 'downgrade' THEN change.changes ELSE 0 END) AS downgrades,
    sum(CASE WHEN change.direction = 'crossgrade' THEN change.changes ELSE 0 END) AS crossgrades,
    sum(CASE WHEN change.direction = 'untold' THEN change.changes ELSE 0 END) AS untold,
    coalesce(sum(change.at_once), 0) AS at_once, coalesce(sum(change.from_trial), 0) AS from_trial,
    CAST(floor(sum(CASE
        WHEN series.currency = '(none)' THEN NULL WHEN change.changes IS NULL THEN 0.0
        ELSE change.credit_milliunits * coalesce(rates.rate, 1.0)
    END) + 0.5) AS BIGINT) AS change_credit
FROM series
JOIN apps ON apps.app_id = series.app_id
JOIN months ON months.month_number >= series.first_month AND months.month_number <= apps.last_month
LEFT JOIN (model_plan_changes AS change JOIN model_days AS day ON day.day_number = change.day_number)
    ON change.app_id = series.app_id AND day.month_number = months.month_number AND change.currency = series.currency
    AND change.from_product_number = series.from_product_number AND change.product_number = series.product_number
-- A month without a change takes the exchange rate of its middle, so that it is shown in the same currency.
LEFT JOIN rates ON rates.currency = series.currency
    AND rates.day_number = coalesce(change.day_number, months.last_day - 15)
LEFT JOIN product AS former ON former.product_number = series.from_product_number
LEFT JOIN product ON product.product_number = series.product_number
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY 1, 2, 3, 4, 5, 6;
