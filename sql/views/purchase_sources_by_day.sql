-- The purchases of purchase_sources, counted by day and by number.
--
-- Columns:
--   app_number    –                –               the app's number in this database alone
--   product_type  –                attribute 1707  as in purchases; null also of types that have no name
--   purchase_day  days since 1970  attribute 1704  as in purchase_sources
--   source        –                –               as in purchase_sources
--   purchases     –                –               how many
CREATE VIEW purchase_sources_by_day AS
SELECT
    app_number,
    nullif(said / 4 % 8, 7) AS product_type,
    nullif(said / 32 - 1000000, -1000000) AS purchase_day,
    CASE said % 4 WHEN 0 THEN 'receipts' WHEN 1 THEN 'signed' ELSE 'both' END AS source,
    sum(purchases) AS purchases
FROM (
    -- Day, type and source in one number, which sorts fastest.
    SELECT app_number, dates / 67108864 * 32 + traits / 2 AS said, purchases
    FROM purchases_by_number
) AS told
GROUP BY said, app_number;
