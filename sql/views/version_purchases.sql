-- One row per app version and day of purchase: the purchases counted under the
-- version of the receipt that tells their state; copies that restores made and
-- free trials are left out. Counted by number before names are looked up, as in
-- daily_purchases.
--
-- Columns:
--   environment      –                attribute 0     as in purchases
--   bundle_id        –                attribute 2     as in purchases
--   app_version      –                attribute 3     version of the receipt that tells the state
--   app_version_key  –                attribute 3     the same as text that sorts
--   purchase_day     days since 1970  attribute 1704  day of the purchase
--   purchases        –                –               transactions
--   refunds          –                attribute 1712  of these, those canceled, upgrades left out
CREATE VIEW version_purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    version.version AS app_version,
    version.version_key AS app_version_key,
    counted.purchase_day,
    counted.purchases,
    counted.refunds
FROM (
    SELECT
        app_id,
        app_version_id,
        purchase_day,
        count(*) AS purchases,
        sum(is_refunded) AS refunds
    FROM (
        SELECT
            told.app_id,
            receipt.app_version_id,
            told.sold_at / 86400000 AS purchase_day,
            CASE
                WHEN told.cancellation_date IS NULL THEN 0
                WHEN EXISTS (
                    SELECT 1 FROM purchase AS upgrade
                    WHERE upgrade.app_id = told.app_id
                        AND upgrade.original_transaction_id = coalesce(told.original_transaction_id, told.transaction_id)
                        AND upgrade.product_number <> told.product_number
                        AND upgrade.purchase_date BETWEEN told.cancellation_date - 60000 AND told.cancellation_date + 60000
                ) THEN 0
                ELSE 1
            END AS is_refunded
        FROM (
            SELECT
                *,
                -- A copy that alone tells a refund states when it was restored; it was sold with the first of its kind.
                CASE
                    WHEN cancellation_date IS NOT NULL
                        AND expires_date IS NULL
                        AND transaction_id <> original_transaction_id
                        THEN (
                            SELECT min(sold.purchase_date) FROM purchase AS sold
                            WHERE sold.app_id = purchase.app_id
                                AND sold.original_transaction_id = purchase.original_transaction_id
                                AND sold.expires_date IS NULL
                        )
                    ELSE purchase_date
                END AS sold_at
            FROM purchase
        ) AS told
        CROSS JOIN receipt ON receipt.receipt_id = told.receipt_id
        WHERE coalesce(told.is_trial_period, 0) = 0
            AND NOT EXISTS (
                SELECT 1 FROM purchase AS same
                WHERE same.app_id = told.app_id
                    AND same.original_transaction_id = told.original_transaction_id
                    AND same.purchase_date = told.purchase_date
                    AND same.expires_date = told.expires_date
                    AND (
                        same.cancellation_date IS NULL,
                        same.transaction_id <> same.original_transaction_id,
                        same.transaction_id
                    ) < (
                        told.cancellation_date IS NULL,
                        told.transaction_id <> told.original_transaction_id,
                        told.transaction_id
                    )
            )
            AND NOT (
                    told.expires_date IS NULL
                    -- Consumables, 1, can't be restored.
                    AND coalesce(told.product_type, 0) <> 1
                    AND EXISTS (
                        SELECT 1 FROM purchase AS same
                        WHERE same.app_id = told.app_id
                            AND same.original_transaction_id = told.original_transaction_id
                            AND same.expires_date IS NULL
                            AND (
                                same.cancellation_date IS NULL,
                                same.transaction_id <> same.original_transaction_id,
                                same.transaction_id
                            ) < (
                                told.cancellation_date IS NULL,
                                told.transaction_id <> told.original_transaction_id,
                                told.transaction_id
                            )
                    )
                )
    ) AS dated
    -- The key that differs most comes first, which makes the sort cheaper.
    GROUP BY purchase_day, app_version_id, app_id
) AS counted
JOIN app ON app.app_id = counted.app_id
LEFT JOIN version ON version.version_id = counted.app_version_id;
