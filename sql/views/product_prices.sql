-- The user's list of prices: empty here, and hidden by a temporary table of the
-- same name where a run is given --prices FILE.csv.
--
-- Columns:
--   product_id          –         attribute 1702  product
--   currency            –         –               currency of the price (ISO 4217)
--   price               currency  –               price of one
--   introductory_price  currency  –               price of one at the introductory offer; null where none is listed
--   valid_from          day       –               first day of the price, in UTC; null for as long as there is the product
CREATE VIEW product_prices AS
SELECT
    '' AS product_id,
    '' AS currency,
    0.0 AS price,
    0.0 AS introductory_price,
    '' AS valid_from
WHERE 0 = 1;
