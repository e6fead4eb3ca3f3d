-- Subscriptions counted by the day on which they began: that of the first period
-- that ran, of those that name the original transaction.
--
-- Columns:
--   environment      –                attribute 0     as in purchases
--   bundle_id        –                attribute 2     as in purchases
--   first_start_day  days since 1970  attribute 1704  day on which the first period began
--   subscriptions    subscriptions    –               how many
CREATE VIEW subscription_begins AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    counted.first_start_day,
    counted.subscriptions
FROM (
    SELECT app_id, (first_start + (SELECT ms FROM zone_offset)) / 86400000 AS first_start_day, count(*) AS subscriptions
    FROM (
        SELECT app_id, min(purchase_date) AS first_start
        FROM unshared_purchases
        WHERE expires_date > purchase_date
            AND original_transaction_id IS NOT NULL
        GROUP BY original_transaction_id, app_id
        UNION ALL
        -- One that states no original is its own, unless others name it.
        SELECT alone.app_id, alone.purchase_date
        FROM unshared_purchases AS alone
        WHERE alone.original_transaction_id IS NULL
            AND alone.expires_date > alone.purchase_date
            AND NOT EXISTS (
                SELECT 1 FROM unshared_purchases AS later
                WHERE later.app_id = alone.app_id
                    AND later.original_transaction_id = alone.transaction_id
                    AND later.expires_date > later.purchase_date
            )
    ) AS begun
    GROUP BY 2, 1
) AS counted
JOIN app ON app.app_id = counted.app_id;
