-- The nominal length of most of a product's periods, by which what is paid for them is told by the month. Of lengths as
-- frequent the longer: what shifts a period mostly shortens it.
--
-- Columns:
--   app_number      –     –  the app's number in this database alone
--   product_number  –     –  the product's number in this database alone
--   nominal_days    days  –  7, 30, 61, 91, 182 or 365
CREATE VIEW usual_lengths AS
SELECT app_number, product_number, max(periods * 1000 + nominal_days) % 1000 AS nominal_days
FROM lengths_by_number
GROUP BY product_number, app_number;
