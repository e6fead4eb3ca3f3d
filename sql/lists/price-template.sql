-- price-template: The price list of the database, and the products that it lacks
-- What is listed, and for which products do neither documents nor the list state what was paid?
--
-- Grain: one row per product_id, currency, valid_from
--
-- Columns:
--   product_id          text             product
--   currency            text             currency of the price; if it is not listed, the reporting currency, or empty
--   price               money(currency)  price of one; null if it is not listed
--   introductory_price  money(currency)  price of one at the introductory offer; null if none is listed
--   valid_from          date             first day of the price; null: from the beginning
--
-- Example:
--   receiptmill refresh --prices-template --database mill.sqlite
SELECT product_id, currency, price, introductory_price, valid_from
FROM (
    SELECT
        product_id, currency, price_milliunits AS price, introductory_milliunits AS introductory_price,
        nullif(valid_from, '') AS valid_from
    FROM listed_price
    UNION ALL
    SELECT product.product_id, coalesce((SELECT max(into_currency) FROM exchange_rate), ''), NULL, NULL, NULL
    FROM (
        SELECT DISTINCT product_number
        FROM model_sales
        WHERE price_source = 'none'
            AND is_paid = 1
            AND is_shared = 0
    ) AS unpriced
    JOIN product ON product.product_number = unpriced.product_number
) AS entry
ORDER BY price IS NULL, product_id, currency, valid_from;
