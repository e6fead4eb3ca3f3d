-- average-revenue: Average revenue by customer
-- How much did an active customer, and a buyer, bring in each month?
--
-- Grain: one row per environment, bundle_id, month, currency, price_source
-- Aliases: arpu, arppu
--
-- Columns:
--   environment       text   environment of the purchases
--   bundle_id         text   bundle identifier of the app
--   month             month  month of the sales and refunds
--   currency          text   currency of the amounts (ISO 4217); (none) if no price is known
--   price_source      text   signed: a signed transaction states the price; list: from your price list; none: no price
--                            is known
--   net               money(currency)      sales of the month less refunds made in the month, as in the report revenue
--   active_customers  integer(customers)   customers who in the month had a paid period or a trial, bought something,
--                                          or presented a document made in it; in all currencies together
--   arpu              money(currency)      net ÷ active_customers; empty until the month is over
--   buyers            integer(customers)   customers with a sale in the month, in all currencies together
--   arppu             money(currency)      net ÷ buyers; empty until the month is over
--   is_complete       integer              1: the newest document of the app is later than the month; 0: the month is
--                                          not over
-- Chart: lines  x=month  y=arpu  n=active_customers  series=bundle_id
--
-- Notes:
--   A customer counts once for each app, in all currencies together, so that the amounts of a month's rows add up. A
--   refund lowers the month in which it was made. The report recurring-revenue has the average per account (arpa) of
--   subscriptions at a month's end; customer-value has what a cohort pays over time.
--
-- Example:
--   receiptmill report average-revenue --database mill.sqlite bundle=com.example.club

WITH sold AS (
    SELECT
        sale.app_id, months.month_number, coalesce(rates.into_currency, sale.currency) AS currency, sale.price_source,
        sum(CASE WHEN rates.rate IS NULL THEN sale.gross_milliunits - sale.refunded_milliunits ELSE 0 END)
            + CAST(floor(coalesce(sum(sale.gross_milliunits * rates.rate), 0.0) + 0.5) AS BIGINT)
            - CAST(floor(coalesce(sum(sale.refunded_milliunits * rates.rate), 0.0) + 0.5) AS BIGINT) AS net
    FROM apps
    JOIN model_daily_sales AS sale ON sale.app_id = apps.app_id
    JOIN model_days AS day ON day.day_number = sale.day_number
    JOIN months ON months.month_number = day.month_number
    LEFT JOIN rates ON rates.currency = sale.currency AND rates.day_number = sale.day_number
    GROUP BY 1, 2, 3, 4
),

series AS (
    SELECT app_id, currency, price_source, min(month_number) AS first_month FROM sold GROUP BY app_id, currency, price_source
),

shown AS (
    SELECT
        series.app_id, months.month_number, months.month, series.currency, series.price_source,
        CASE WHEN series.price_source <> 'none' THEN coalesce(sold.net, 0) END AS net,
        coalesce(counted.active_customers, 0) AS active_customers, coalesce(counted.buyers, 0) AS buyers
    FROM series
    JOIN apps ON apps.app_id = series.app_id
    JOIN months ON months.month_number >= series.first_month AND months.month_number <= apps.last_month
    LEFT JOIN sold
        ON sold.app_id = series.app_id
        AND sold.month_number = months.month_number AND sold.currency = series.currency
        AND sold.price_source = series.price_source
    LEFT JOIN internal_customer_months AS counted ON counted.app_id = series.app_id AND counted.month_number = months.month_number
)

SELECT
    apps.environment, apps.bundle_id, shown.month, shown.currency, shown.price_source, shown.net,
    shown.active_customers,
    CASE WHEN shown.month_number <= apps.complete_month
        THEN CAST(floor(CAST(shown.net AS DOUBLE) / nullif(shown.active_customers, 0) / 10 + 0.5) AS BIGINT) * 10 END AS arpu,
    shown.buyers,
    CASE WHEN shown.month_number <= apps.complete_month
        THEN CAST(floor(CAST(shown.net AS DOUBLE) / nullif(shown.buyers, 0) / 10 + 0.5) AS BIGINT) * 10 END AS arppu,
    CASE WHEN shown.month_number <= apps.complete_month THEN 1 ELSE 0 END AS is_complete
FROM shown
JOIN apps ON apps.app_id = shown.app_id
ORDER BY 1, 2, 3, 4, 5;
