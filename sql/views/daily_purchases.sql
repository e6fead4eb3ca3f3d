-- One row per day of purchase, product and day of cancellation: the purchases
-- counted, copies that restores made left out. Counting by number before names
-- are looked up is what lets reports over all purchases answer fast. Purchases of
-- one product whose type or source differs are counted in rows of their own.
--
-- Columns:
--   environment       –                attribute 0     as in purchases
--   bundle_id         –                attribute 2     as in purchases
--   product_id        –                attribute 1702  product bought
--   purchase_day      days since 1970  attribute 1704  day of the purchase
--   cancellation_day  days since 1970  attribute 1712  day of the cancellation; null where there is none
--   is_trial_period   0 or 1           attribute 1713  1: free trials
--   is_upgraded       0 or 1           –               1: canceled by upgrades
--   is_refund         0 or 1           –               1: refunds, as in purchase_states
--   purchases         –                –               transactions
--   units             –                attribute 1701  sum of their quantities
--   app_number        –                –               the app's number in this database alone, to count by
--   product_number    –                –               the same of the product
CREATE VIEW daily_purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id,
    nullif(counted.dates / 67108864, 0) - 1000000 AS purchase_day,
    nullif(counted.dates / 8 % 8388608, 0) - 1000000 AS cancellation_day,
    counted.dates / 2 % 2 AS is_trial_period,
    counted.dates % 2 AS is_upgraded,
    counted.dates / 4 % 2 AS is_refund,
    counted.purchases,
    counted.units,
    counted.app_number,
    counted.product_number
FROM purchases_by_number AS counted
JOIN app ON app.app_id = counted.app_number
LEFT JOIN product ON product.product_number = counted.product_number
-- A family member's share is no purchase.
WHERE counted.traits % 2 = 0;
