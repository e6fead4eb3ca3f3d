-- Prices, which no receipt holds: empty here, and hidden by a temporary table of
-- the same name where a run is given --prices FILE.csv.
--
-- Columns:
--   product_id  –         attribute 1702  product
--   currency    –         –               currency of the price
--   price       currency  –               price of one
CREATE VIEW product_prices AS
SELECT
    '' AS product_id,
    '' AS currency,
    0.0 AS price
WHERE 0 = 1;
