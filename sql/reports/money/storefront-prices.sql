-- storefront-prices: Prices of each product by storefront
-- What does each product cost in each storefront, since when, and what did it cost before?
--
-- Grain: one row per environment, bundle_id, product_id, storefront, currency, price_milliunits
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--
-- Columns:
--   environment       text     environment of the purchases
--   bundle_id         text     bundle identifier of the app
--   product_id        text     product bought
--   storefront        text     country of the store (ISO 3166, three letters); (none) where nothing tells it
--   currency          text     currency of the price (ISO 4217)
--   price_milliunits  integer(milliunits)  price of one at full price, in thousandths of the currency
--   is_newest         integer  1: the price of the newest such sale there; 0: another
--   first_sold        date     day of the first sale at this price, in UTC
--   last_sold         date     day of the last one
--   sales             integer  sales at this price
--
-- Chart: bars  x=storefront  y=sales  series=product_id
--
-- Notes:
--   Prices that the store signed, of sales at full price: no offers, no family members'
--   shares. The price of one is the price over the quantity, to the nearest milliunit.
--   Two prices may hold at the same time: subscribers often keep the price at which they
--   began, so that last_sold is no end of a price for new customers.
--
-- Example:
--   receiptmill report storefront-prices --database mill.sqlite --param bundle=com.example.app

WITH sold AS (
    SELECT
        environment,
        bundle_id,
        product_id,
        storefront,
        currency,
        CAST(floor(CAST(price_milliunits AS DOUBLE) / quantity + 0.5) AS BIGINT) AS price_milliunits,
        min(purchase_day) AS first_day,
        max(purchase_day) AS last_day,
        max(purchase_second) AS last_second,
        count(*) AS sales
    FROM priced_purchases
    WHERE sale = 'full'
        AND price_source = 'signed'
        -- Follows from the source, and spares the rest the look-up.
        AND purchase_number IN (SELECT purchase_number FROM told_purchases)
        AND quantity > 0
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    GROUP BY 6, 5, 4, 3, 2, 1
),

placed AS (
    SELECT
        sold.*,
        row_number() OVER (
            PARTITION BY environment, bundle_id, product_id, storefront, currency
            ORDER BY last_second DESC, price_milliunits DESC
        ) AS place
    FROM sold
)

SELECT
    coalesce(placed.environment, '(none)') AS environment,
    coalesce(placed.bundle_id, '(none)') AS bundle_id,
    coalesce(placed.product_id, '(none)') AS product_id,
    coalesce(placed.storefront, '(none)') AS storefront,
    coalesce(placed.currency, '(none)') AS currency,
    placed.price_milliunits,
    CASE WHEN placed.place = 1 THEN 1 ELSE 0 END AS is_newest,
    first_sale.day AS first_sold,
    last_sale.day AS last_sold,
    placed.sales
FROM placed
JOIN calendar AS first_sale ON first_sale.day_number = placed.first_day
JOIN calendar AS last_sale ON last_sale.day_number = placed.last_day
ORDER BY 1, 2, 3, 4, 5, 6;
