-- The rows of customer_value by months.
--
-- Columns:
--   app_number           –           –  the app's number in this database alone
--   currency             –           –  as in customer_value
--   cohort_number        –           –  month of the first purchase, as in calendar
--   month_number         –           –  month of what was paid and given back
--   customers            customers   –  as in customer_value
--   buyers               customers   –  as in customer_value
--   sales                purchases   –  as in customer_value
--   gross_milliunits     milliunits  –  as in customer_value
--   refunded_milliunits  milliunits  –  as in customer_value
--   list_milliunits      milliunits  –  as in customer_value
CREATE VIEW monthly_customer_value AS
SELECT
    app_number,
    currency,
    cohort_number,
    period_number AS month_number,
    customers,
    buyers,
    sales,
    gross_milliunits,
    refunded_milliunits,
    list_milliunits
FROM customer_value
WHERE grain = 'month';
