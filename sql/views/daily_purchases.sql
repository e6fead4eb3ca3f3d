-- One row per day of purchase, product and day of cancellation: the purchases
-- counted, copies that restores made left out. Counting by number before names
-- are looked up is what lets reports over all purchases answer fast.
--
-- Columns:
--   environment       –                attribute 0     as in purchases
--   bundle_id         –                attribute 2     as in purchases
--   product_id        –                attribute 1702  product bought
--   purchase_day      days since 1970  attribute 1704  day of the purchase
--   cancellation_day  days since 1970  attribute 1712  day of the cancellation; null where there is none
--   is_trial_period   0 or 1           attribute 1713  1: free trials
--   is_upgraded       0 or 1           –               1: canceled by upgrades
--   purchases         –                –               transactions
--   units             –                attribute 1701  sum of their quantities
CREATE VIEW daily_purchases AS
WITH counted AS (
    SELECT
        app_number,
        product_number,
        dates,
        count(*) AS purchases,
        sum(units) AS units
    FROM (
        SELECT
            app_number,
            product_number,
            quantity AS units,
            -- Both days, counted from a million before 1970 so that 0 is none, and whether it is a trial or upgraded:
            -- one number sorts in two thirds of the time that four columns take.
            (
                coalesce((sold_ms + (SELECT ms FROM zone_offset)) / 86400000 + 1000000, 0) * 8388608
                + coalesce((cancellation_ms + (SELECT ms FROM zone_offset)) / 86400000 + 1000000, 0)
            ) * 4
            + is_trial_period * 2
            + is_upgraded AS dates
        FROM purchase_states
        WHERE is_restored = 0
            AND is_family = 0
        -- The limit makes a row of what is sorted: without it, all that the days are worked out of is sorted along.
        LIMIT -1
    ) AS dated
    GROUP BY dates, product_number, app_number
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id,
    nullif(counted.dates / 33554432, 0) - 1000000 AS purchase_day,
    nullif(counted.dates / 4 % 8388608, 0) - 1000000 AS cancellation_day,
    counted.dates / 2 % 2 AS is_trial_period,
    counted.dates % 2 AS is_upgraded,
    counted.purchases,
    counted.units
FROM counted
JOIN app ON app.app_id = counted.app_number
LEFT JOIN product ON product.product_number = counted.product_number;
