-- Prices at which products were sold at full price, as signed transactions state them: the price of one unit, to the
-- nearest thousandth of the currency. Offers and members' shares are left out.
--
-- One row per app, product, storefront, currency and price.
--
-- Columns:
--   app_id            –           –  app and environment, by the loader's number
--   product_number    –           –  product, by the loader's number; 0 if none is stated
--   storefront        –           –  country of the store (ISO 3166, three letters); (none) if none is stated
--   currency          –           –  currency of the price; (none) if none is stated
--   price_milliunits  milliunits  –  price of one unit
--   first_day         –           –  number of the local day of the first sale
--   last_day          –           –  number of the local day of the last sale
--   last_ms           ms          –  time of the last sale
--   sales             sales       –  number of sales at this price
CREATE VIEW internal_storefront_prices AS
SELECT
    app_id,
    coalesce(product_number, 0) AS product_number,
    coalesce(storefront, '(none)') AS storefront,
    coalesce(currency, '(none)') AS currency,
    CAST(floor(CAST(price_milliunits AS DOUBLE) / quantity + 0.5) AS BIGINT) AS price_milliunits,
    min(sold_day) AS first_day,
    max(sold_day) AS last_day,
    max(start_ms) AS last_ms,
    count(*) AS sales
FROM model_sales
WHERE price_source = 'signed'
    AND offer = 'full'
    AND price_milliunits > 0
    AND quantity > 0
    AND is_shared = 0
    AND sold_day IS NOT NULL
GROUP BY 1, 2, 3, 4, 5;
