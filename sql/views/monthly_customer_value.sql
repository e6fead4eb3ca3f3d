-- The rows of customer_value by months.
--
-- Columns:
--   grain                –           –  month
--   app_number           –           –  the app's number in this database alone
--   currency             –           –  as in customer_value
--   cohort_number        –           –  month of the first purchase, as in calendar
--   period_number        –           –  month of what was paid and given back
--   customers            customers   –  as in customer_value
--   buyers               customers   –  as in customer_value
--   sales                purchases   –  as in customer_value
--   gross_milliunits     milliunits  –  as in customer_value
--   refunded_milliunits  milliunits  –  as in customer_value
--   list_milliunits      milliunits  –  as in customer_value
CREATE VIEW monthly_customer_value AS
SELECT * FROM customer_value
WHERE grain = 'month';
