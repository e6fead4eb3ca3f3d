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
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id,
    counted.purchase_day,
    counted.cancellation_day,
    counted.is_trial_period,
    counted.is_upgraded,
    counted.purchases,
    counted.units
FROM (
    SELECT
        app_id,
        product_number,
        purchase_date / 86400000 AS purchase_day,
        cancellation_date / 86400000 AS cancellation_day,
        coalesce(is_trial_period, 0) AS is_trial_period,
        CASE
            WHEN cancellation_date IS NULL THEN 0
            WHEN EXISTS (
                SELECT 1 FROM purchase AS upgrade
                WHERE upgrade.app_id = told.app_id
                    AND upgrade.original_transaction_id = told.original_transaction_id
                    AND upgrade.product_number <> told.product_number
                    AND abs(upgrade.purchase_date - told.cancellation_date) <= 60000
            ) THEN 1
            ELSE 0
        END AS is_upgraded,
        count(*) AS purchases,
        sum(coalesce(quantity, 1)) AS units
    FROM purchase AS told
    WHERE NOT EXISTS (
        SELECT 1 FROM purchase AS same
        WHERE told.transaction_id <> told.original_transaction_id
            AND same.app_id = told.app_id
            AND same.original_transaction_id = told.original_transaction_id
            AND same.expires_date = told.expires_date
            AND +same.transaction_id < told.transaction_id
    )
        AND NOT (
            told.expires_date IS NULL
            AND told.transaction_id <> told.original_transaction_id
            AND EXISTS (
                SELECT 1 FROM purchase AS same
                WHERE same.app_id = told.app_id
                    AND same.original_transaction_id = told.original_transaction_id
                    AND same.expires_date IS NULL
                    AND +same.transaction_id < told.transaction_id
            )
        )
    GROUP BY 3, 2, 4, 5, 6, 1
) AS counted
JOIN app ON app.app_id = counted.app_id
LEFT JOIN product ON product.product_number = counted.product_number;
