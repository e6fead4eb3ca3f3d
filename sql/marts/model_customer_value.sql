-- What customers paid, by cohort and age. The age is the number of months since the customer's first transaction. These
-- months end as Apple's renewal months do: in UTC, on the same day of each month, or on its last day, and up to an hour
-- before the planned end. A refund counts at the age at which it was made. Free transactions count as 0, so that
-- customers who paid nothing are included.
--
-- Grain: one row per app, cohort month, age, currency, price source and day
-- Key: app_id, cohort_month, age, currency, price_source, day_number
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id          INTEGER!  –           app and environment, by the loader's number
--   cohort_month    INTEGER!  –           number of the local month of the customers' first transaction
--   age             INTEGER!  months      months since the customer's first transaction
--   currency        TEXT!     –           currency of the amounts; (none) if no price is known
--   price_source    TEXT!     –           signed: a signed transaction states the price; list: from your price list;
--                                         none: no price is known
--   day_number      INTEGER!  –           number of the local day of the sale or refund
--   net_milliunits  INTEGER!  milliunits  amount charged, less amount refunded
--   sales           INTEGER!  sales       number of paid transactions
--   entries         INTEGER!  –           number of transactions and refunds that this row sums up
WITH sold AS (
    SELECT
        customer_id, sold_day AS day_number, start_ms AS event_ms,
        coalesce(currency, '(none)') AS currency,
        price_source,
        coalesce(price_milliunits, 0) AS net_milliunits,
        is_paid AS sales
    FROM model_sales
    WHERE customer_id IS NOT NULL
        AND sold_day IS NOT NULL
    UNION ALL
    SELECT
        sale.customer_id, refund.refund_day, refund.refund_ms, coalesce(sale.currency, '(none)'), sale.price_source,
        -coalesce(refund.milliunits, 0), 0
    FROM model_refund_events AS refund
    JOIN model_sales AS sale ON sale.purchase_id = refund.purchase_id
    WHERE refund.refund_day IS NOT NULL
        AND sale.customer_id IS NOT NULL
        AND sale.sold_day IS NOT NULL
),

dated AS (
    SELECT
        customer.app_id, customer.cohort_month, sold.day_number,
        day.month_number - customer.own_month - CASE WHEN day.own_day < customer.own_day THEN 1 ELSE 0 END AS age,
        sold.currency, sold.price_source, sold.net_milliunits, sold.sales
    FROM sold
    JOIN model_customers AS customer ON customer.customer_id = sold.customer_id
    JOIN model_days AS day
        ON day.day_number = CAST((sold.event_ms + 3600000 - (sold.event_ms + 3600000) % 86400000) / 86400000 AS BIGINT)
)

SELECT
    app_id, cohort_month,
    CASE WHEN age < 0 THEN 0 ELSE age END AS age,
    currency, price_source, day_number,
    sum(net_milliunits) AS net_milliunits,
    sum(sales) AS sales,
    count(*) AS entries
FROM dated
WHERE cohort_month IS NOT NULL
GROUP BY app_id, cohort_month, CASE WHEN age < 0 THEN 0 ELSE age END, currency, price_source, day_number
