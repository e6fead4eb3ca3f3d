-- storefront-prices: Prices of each product by storefront
-- What does each product cost in each storefront, since when, and what did it cost before?
--
-- Grain: one row per environment, bundle_id, product_id, storefront, currency, price
--
-- Aliases: prices, price-tiers
--
-- Columns:
--   environment  text             environment of the purchases
--   bundle_id    text             bundle identifier of the app
--   product_id   text             product bought
--   storefront   text             country of the store (ISO 3166, three letters); (none) where nothing tells it
--   currency     text             currency of the price (ISO 4217)
--   price        money(currency)  price of one at full price
--   is_newest    integer          1: the price of the newest such sale there; 0: another
--   first_sold   date             day of the first sale at this price
--   last_sold    date             day of the last one
--   sales        integer(sales)   sales at this price
--
-- Shown: bundle_id, product_id, storefront, currency, price, is_newest, first_sold, last_sold, sales
-- Total: sales
--
-- Chart: bars  x=storefront  y=sales  series=product_id
--
-- Notes:
--   Prices that the store signed, of sales at full price: no offers, no family members'
--   shares. The price of one is the price over the quantity, to the nearest thousandth.
--   Two prices may hold at the same time: subscribers often keep the price at which they
--   began, so that last_sold is no end of a price for new customers.
--   A conversion takes the rate of the day of the last sale.
--
-- Example:
--   receiptmill report storefront-prices --database mill.sqlite --param bundle=com.example.app

WITH sold AS (
    SELECT
        sale.app_id,
        sale.product_number,
        sale.storefront,
        sale.currency,
        CAST(floor(CAST(sale.price_milliunits AS DOUBLE) / sale.quantity + 0.5) AS BIGINT) AS price,
        min(sale.sold_day) AS first_day,
        max(sale.sold_day) AS last_day,
        max(sale.start_ms) AS last_ms,
        count(*) AS sales
    FROM apps
    JOIN model_sales AS sale ON sale.app_id = apps.app_id
    WHERE sale.offer = 'full'
        AND sale.price_source = 'signed'
        AND sale.price_milliunits > 0
        AND sale.is_shared = 0
        AND sale.is_trial = 0
        AND sale.quantity > 0
        AND sale.sold_day IS NOT NULL
    GROUP BY 5, 4, 3, 2, 1
),

placed AS (
    SELECT
        sold.*,
        row_number() OVER (
            PARTITION BY app_id, product_number, storefront, currency
            ORDER BY last_ms DESC, price DESC
        ) AS place
    FROM sold
)

SELECT
    apps.environment,
    apps.bundle_id,
    coalesce(product.product_id, '(none)') AS product_id,
    coalesce(placed.storefront, '(none)') AS storefront,
    coalesce(rates.into_currency, placed.currency, '(none)') AS currency,
    CASE WHEN rates.rate IS NULL THEN placed.price ELSE CAST(floor(placed.price * rates.rate + 0.5) AS BIGINT) END AS price,
    CASE WHEN placed.place = 1 THEN 1 ELSE 0 END AS is_newest,
    first_sale.day AS first_sold,
    last_sale.day AS last_sold,
    placed.sales
FROM placed
JOIN apps ON apps.app_id = placed.app_id
LEFT JOIN product ON product.product_number = placed.product_number
LEFT JOIN rates
    ON rates.currency = placed.currency AND rates.from_day <= placed.last_day AND rates.until_day > placed.last_day
LEFT JOIN model_days AS first_sale ON first_sale.day_number = placed.first_day
LEFT JOIN model_days AS last_sale ON last_sale.day_number = placed.last_day
ORDER BY 1, 2, 3, 4, 5, 6, 9;
