-- The purchases, with their dates as numbers: days and seconds since 1970, UTC.
-- A restore makes a copy of a purchase under a new transaction identifier. Of the
-- original and its copies one counts, and is_restored is 1 for the others: the one
-- that tells of a cancellation, since receipts after a restore tell it of the copy
-- alone; else the original; else the one with the least identifier. Of a copy that
-- tells of a cancellation the purchase date is the first of them all.
--
-- Columns:
--   environment              –                   attribute 0     as in purchases
--   bundle_id                –                   attribute 2     as in purchases
--   transaction_id           –                   attribute 1703  the transaction
--   original_transaction_id  –                   attribute 1705  the original; the transaction's own where none is
--                                                                stated
--   product_id               –                   attribute 1702  product bought
--   product_type             –                   attribute 1707  as in purchases
--   quantity                 –                   attribute 1701  how many; 1 where none is stated
--   purchase_date            time                attribute 1704  when it was bought
--   cancellation_date        time                attribute 1712  when it was canceled
--   purchase_day             days since 1970     attribute 1704  day of the purchase
--   purchase_second          seconds since 1970  attribute 1704  moment of the purchase
--   cancellation_day         days since 1970     attribute 1712  day of the cancellation
--   cancellation_second      seconds since 1970  attribute 1712  moment of the cancellation
--   expiry_second            seconds since 1970  attribute 1708  moment of the expiration
--   is_trial_period          0 or 1              attribute 1713  1: a free trial
--   is_upgraded              0 or 1              –               1: canceled because another product of the subscription
--                                                                began within a minute
--   is_restored              0 or 1              –               1: a copy or an original, of which another counts
--   app_version              –                   attribute 3     version of the receipt that tells this state
--   app_version_key          –                   attribute 3     the same as text that sorts
--   receipt_sha256           –                   –               the receipt that tells this state
--   app_number               –                   –               the app's number in this database alone, to count by
--   app_version_number       –                   –               the same of the version
CREATE VIEW dated_purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(told.transaction_id AS TEXT) AS transaction_id,
    CAST(coalesce(told.original_transaction_id, told.transaction_id) AS TEXT) AS original_transaction_id,
    product.product_id,
    told.product_type,
    coalesce(told.quantity, 1) AS quantity,
    strftime('%Y-%m-%dT%H:%M:%SZ', told.sold_at / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', told.cancellation_date / 1000, 'unixepoch') AS cancellation_date,
    told.sold_at / 86400000 AS purchase_day,
    told.sold_at / 1000 AS purchase_second,
    told.cancellation_date / 86400000 AS cancellation_day,
    told.cancellation_date / 1000 AS cancellation_second,
    told.expires_date / 1000 AS expiry_second,
    coalesce(told.is_trial_period, 0) AS is_trial_period,
    CASE
        WHEN told.cancellation_date IS NULL THEN 0
        WHEN EXISTS (
            SELECT 1 FROM purchase AS upgrade
            WHERE upgrade.app_id = told.app_id
                AND upgrade.original_transaction_id = coalesce(told.original_transaction_id, told.transaction_id)
                AND upgrade.product_number <> told.product_number
                AND upgrade.purchase_date BETWEEN told.cancellation_date - 60000 AND told.cancellation_date + 60000
        ) THEN 1
        ELSE 0
    END AS is_upgraded,
    CASE
        -- Periods of a subscription share the original; a copy also begins and expires alike.
        WHEN EXISTS (
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
        ) THEN 1
        -- Consumables, 1, can't be restored.
        WHEN told.expires_date IS NULL AND coalesce(told.product_type, 0) <> 1 AND EXISTS (
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
        ) THEN 1
        ELSE 0
    END AS is_restored,
    app_version.version AS app_version,
    app_version.version_key AS app_version_key,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    told.app_id AS app_number,
    receipt.app_version_id AS app_version_number
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
JOIN app ON app.app_id = told.app_id
JOIN receipt ON receipt.receipt_id = told.receipt_id
LEFT JOIN version AS app_version ON app_version.version_id = receipt.app_version_id
LEFT JOIN product ON product.product_number = told.product_number;
