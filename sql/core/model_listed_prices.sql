-- Prices of products from the user's price list. A price holds until the product's next price in the same currency, or
-- until the list has the product in a second currency, because it is then unknown which one was paid.
--
-- Grain: one row per product and first moment of a price
-- Key: product_number, from_ms
--
-- Columns:
--   product_number           INTEGER  –           product, by the loader's number
--   currency                 TEXT     –           currency of the price (ISO 4217)
--   price_milliunits         INTEGER  milliunits  unit price, in thousandths of the currency
--   introductory_milliunits  INTEGER  milliunits  unit price of the introductory offer; null if none is listed
--   from_ms                  INTEGER  ms          first moment at which the price holds
--   until_ms                 INTEGER  ms          first moment at which the price no longer holds
WITH dated AS (
    SELECT
        product.product_number,
        listed.currency,
        listed.price_milliunits,
        listed.introductory_milliunits,
        listed.valid_from,
        coalesce(days.begins_ms, -9223372036854775807) AS from_ms
    FROM listed_price AS listed
    JOIN product ON product.product_id = listed.product_id
    LEFT JOIN model_days AS days ON days.day = listed.valid_from
    WHERE days.day IS NOT NULL
        OR listed.valid_from < (SELECT min(day) FROM model_days)
),

firsts AS (
    SELECT product_number, currency, min(from_ms) AS from_ms FROM dated GROUP BY product_number, currency
),

others AS (
    SELECT one.product_number, one.currency, min(other.from_ms) AS from_ms
    FROM firsts AS one
    JOIN firsts AS other ON other.product_number = one.product_number AND other.currency <> one.currency
    GROUP BY one.product_number, one.currency
),

followed AS (
    SELECT
        dated.*,
        coalesce(
            lead(from_ms) OVER (PARTITION BY product_number, currency ORDER BY from_ms, valid_from), 9223372036854775807
        ) AS next_ms
    FROM dated
),

spans AS (
    SELECT
        followed.*,
        CASE WHEN others.from_ms < followed.next_ms THEN others.from_ms ELSE followed.next_ms END AS until_ms
    FROM followed
    LEFT JOIN others ON others.product_number = followed.product_number AND others.currency = followed.currency
)

SELECT product_number, currency, price_milliunits, introductory_milliunits, from_ms, until_ms
FROM spans
WHERE from_ms < until_ms
