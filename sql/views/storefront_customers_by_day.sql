-- Customers with a sale, by the days of their sales: of each customer, app, storefront and currency a day with a sale
-- and the day with one before it. Those with a sale within some days are those of a day within whose former is before.
--
-- Columns:
--   app_number   –                –  the app's number in this database alone
--   storefront   –                –  as in priced_purchases
--   currency     –                –  as in priced_purchases
--   day_number   days since 1970  –  day of the sale, of a price above 0 or unknown
--   former_day   days since 1970  –  day of the customer's last sale before that day; null where there was none
--   customers    customers        –  how many
CREATE VIEW storefront_customers_by_day AS
WITH sold AS (
    SELECT DISTINCT customers.customer_number, sales.app_number, sales.storefront, sales.currency, sales.purchase_day
    FROM (
        SELECT DISTINCT
            app_number,
            original_number,
            storefront,
            currency,
            purchase_day
        FROM sales_by_number
        WHERE sale NOT IN ('family', 'free')
    ) AS sales
    JOIN customers_by_number AS customers
        ON customers.original_number = sales.original_number
        AND customers.app_number = sales.app_number
)

SELECT app_number, storefront, currency, day_number, former_day, count(*) AS customers
FROM (
    SELECT
        app_number,
        storefront,
        currency,
        purchase_day AS day_number,
        lag(purchase_day) OVER (
            PARTITION BY customer_number, app_number, storefront, currency ORDER BY purchase_day
        ) AS former_day
    FROM sold
) AS dated
GROUP BY day_number, former_day, storefront, currency, app_number;
