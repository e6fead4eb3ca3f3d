-- One row per submission that shows an owner's claim and refunded transaction
-- that the submitted receipt states; owners as in app_owners. Upgrades cancel
-- too, and so do free trials; both are left out. What others presented for an owner,
-- as in relayed_purchases, has a row without a submission.
--
-- Columns:
--   environment              –        attribute 0     as in purchases
--   bundle_id                –        attribute 2     as in purchases
--   owner                    –        line            as in app_owners
--   owner_kind               –        –               account or device
--   transaction_id           –        attribute 1703  the transaction
--   original_transaction_id  –        attribute 1705  its original
--   product_id               –        attribute 1702  the product
--   purchase_date            time     attribute 1704  when it was bought
--   cancellation_date        time     attribute 1712  when it was refunded
--   receipt_sha256           –        –               the receipt presented
--   receipt_creation_date    time     attribute 12    when the store created that
--   submitted_at             time     line            when it was presented; null where others did for the
--                                                    owner
--   shows_refund             0 or 1   –               1: created at the refund or later, the receipt that states it, or
--                                                    as undated as that
--   seconds_after_refund     seconds  –               from the refund to the submission; negative before it; null
--                                                    where others presented it
CREATE VIEW owner_refunds AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    coalesce(submission.account_id, submission.device_id) AS owner,
    CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    CAST(coalesce(purchase.original_transaction_id, purchase.transaction_id) AS TEXT)
        AS original_transaction_id,
    product.product_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.purchase_date / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.cancellation_date / 1000, 'unixepoch') AS cancellation_date,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS receipt_creation_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS submitted_at,
    CASE
        WHEN receipt.receipt_creation_date >= purchase.cancellation_date THEN 1
        WHEN receipt.receipt_id = purchase.receipt_id THEN 1
        -- Of two receipts without a date nobody knows which is the older.
        WHEN receipt.receipt_creation_date IS NULL AND source.receipt_creation_date IS NULL THEN 1
        ELSE 0
    END AS shows_refund,
    submission.submitted_at / 1000 - purchase.cancellation_date / 1000 AS seconds_after_refund
FROM purchase
CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
CROSS JOIN receipt
    ON receipt.receipt_id = receipt_purchase.receipt_id
    AND receipt.app_id = purchase.app_id
CROSS JOIN receipt AS source ON source.receipt_id = purchase.receipt_id
CROSS JOIN submission ON submission.receipt_id = receipt.receipt_id
CROSS JOIN app ON app.app_id = purchase.app_id
LEFT JOIN product ON product.product_number = purchase.product_number
WHERE purchase.cancellation_date IS NOT NULL
    AND receipt.verdict = 'trusted'
    AND submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    AND purchase.purchase_id IN (
        SELECT state.purchase_number FROM purchase_states AS state
        WHERE state.cancellation_ms IS NOT NULL
            AND state.is_refund = 1
    )
UNION ALL
-- What stands inside a document is presented with it.
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    coalesce(submission.account_id, submission.device_id) AS owner,
    CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    CAST(coalesce(purchase.original_transaction_id, purchase.transaction_id) AS TEXT)
        AS original_transaction_id,
    product.product_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.purchase_date / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.cancellation_date / 1000, 'unixepoch') AS cancellation_date,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS receipt_creation_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS submitted_at,
    CASE
        WHEN receipt.receipt_creation_date >= purchase.cancellation_date THEN 1
        WHEN receipt.receipt_id = purchase.receipt_id THEN 1
        -- Of two receipts without a date nobody knows which is the older.
        WHEN receipt.receipt_creation_date IS NULL AND source.receipt_creation_date IS NULL THEN 1
        ELSE 0
    END AS shows_refund,
    submission.submitted_at / 1000 - purchase.cancellation_date / 1000 AS seconds_after_refund
FROM purchase
CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
CROSS JOIN receipt
    ON receipt.receipt_id = receipt_purchase.receipt_id
    AND receipt.app_id = purchase.app_id
CROSS JOIN receipt AS source ON source.receipt_id = purchase.receipt_id
CROSS JOIN receipt_part ON receipt_part.part_receipt_id = receipt.receipt_id
CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
CROSS JOIN app ON app.app_id = purchase.app_id
LEFT JOIN product ON product.product_number = purchase.product_number
WHERE purchase.cancellation_date IS NOT NULL
    AND receipt.verdict = 'trusted'
    AND submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    AND purchase.purchase_id IN (
        SELECT state.purchase_number FROM purchase_states AS state
        WHERE state.cancellation_ms IS NOT NULL
            AND state.is_refund = 1
    )
UNION ALL
SELECT
    relayed.environment,
    relayed.bundle_id,
    relayed.owner,
    relayed.owner_kind,
    relayed.transaction_id,
    CAST(coalesce(purchase.original_transaction_id, purchase.transaction_id) AS TEXT)
        AS original_transaction_id,
    product.product_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.purchase_date / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.cancellation_date / 1000, 'unixepoch') AS cancellation_date,
    lower(hex(source.sha256)) AS receipt_sha256,
    strftime('%Y-%m-%dT%H:%M:%SZ', source.receipt_creation_date / 1000, 'unixepoch') AS receipt_creation_date,
    NULL AS submitted_at,
    1 AS shows_refund,
    NULL AS seconds_after_refund
FROM relayed_purchases AS relayed
CROSS JOIN purchase ON purchase.purchase_id = relayed.purchase_number
CROSS JOIN receipt AS source ON source.receipt_id = purchase.receipt_id
LEFT JOIN product ON product.product_number = purchase.product_number
WHERE purchase.cancellation_date IS NOT NULL
    AND purchase.purchase_id IN (
        SELECT state.purchase_number FROM purchase_states AS state
        WHERE state.cancellation_ms IS NOT NULL
            AND state.is_refund = 1
    );
