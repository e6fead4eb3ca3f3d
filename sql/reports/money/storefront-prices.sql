-- storefront-prices: Prices of each product by storefront
-- What does each product cost in each storefront, since when, and what did it cost before?
--
-- Grain: one row per environment, bundle_id, product_id, storefront, currency, price
-- Aliases: prices, price-tiers
--
-- Columns:
--   environment  text     environment of the purchases
--   bundle_id    text     bundle identifier of the app
--   product_id   text     product bought
--   storefront   text     country of the store (ISO 3166, three letters); (none) if unknown
--   currency     text     currency of the price (ISO 4217)
--   price        money(currency)  price of one unit, sold at the full price
--   is_newest    integer  1: the price of the newest sale at full price in the storefront; 0: another price
--   first_sold   date     day of the first sale at this price
--   last_sold    date     day of the last sale at this price
--   sales        integer(sales)  number of sales at this price
--
-- Shown: bundle_id, product_id, storefront, currency, price, is_newest, first_sold, last_sold, sales
-- Total: sales
-- Chart: bars  x=storefront  y=sales  series=product_id
--
-- Notes:
--   Prices that signed transactions state for sales at full price, without offers and members' shares. Two prices may
--   hold at the same time: subscribers often keep the price at which they began. Prices are converted by the rate of
--   the day of the last sale.
--
-- Example:
--   receiptmill report storefront-prices --database mill.sqlite bundle=com.example.app

SELECT
    apps.environment, apps.bundle_id, coalesce(product.product_id, '(none)') AS product_id, sold.storefront,
    coalesce(rates.into_currency, sold.currency) AS currency,
    CASE WHEN rates.rate IS NULL THEN sold.price_milliunits
        ELSE CAST(floor(sold.price_milliunits * rates.rate + 0.5) AS BIGINT) END AS price,
    CASE WHEN row_number() OVER newest = 1 THEN 1 ELSE 0 END AS is_newest,
    first_sale.day AS first_sold, last_sale.day AS last_sold, sold.sales
FROM apps
JOIN internal_storefront_prices AS sold ON sold.app_id = apps.app_id
JOIN model_days AS first_sale ON first_sale.day_number = sold.first_day
JOIN model_days AS last_sale ON last_sale.day_number = sold.last_day
LEFT JOIN product ON product.product_number = sold.product_number
LEFT JOIN rates ON rates.currency = sold.currency AND rates.day_number = sold.last_day
WINDOW newest AS (
    PARTITION BY sold.app_id, sold.product_number, sold.storefront, sold.currency
    ORDER BY sold.last_ms DESC, sold.price_milliunits DESC
)
ORDER BY 1, 2, 3, 4, 5, 6, 9;
