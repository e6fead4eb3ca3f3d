-- One row per submission that shows an owner's claim and transaction that the
-- submitted receipt states: which owner of an app bought what. An owner is
-- known as in app_owners, by the same receipts: trusted, and not presented by
-- another device than the one they were made for. A transaction that several
-- submissions show stands several times.
--
-- The contract's views meet only in text, which no index serves; this one joins
-- the tables by number. CROSS JOIN keeps SQLite to this order, in which a
-- receipt's rows lie side by side; left to itself it goes by transaction.
--
-- Columns:
--   environment        –       attribute 0     as in purchases
--   bundle_id          –       attribute 2     as in purchases
--   owner              –       line            as in `app_owners`
--   owner_kind         –       –               `account` or `device`
--   transaction_id     –       attribute 1703  the transaction
--   purchase_date      time    attribute 1704  as in `purchases`
--   cancellation_date  time    attribute 1712  as in `purchases`
--   is_trial_period    0 or 1  attribute 1713  as in `purchases`
--   receipt_sha256     –       –               the receipt presented
CREATE VIEW owner_purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    coalesce(submission.account_id, submission.device_id) AS owner,
    CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.purchase_date / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', purchase.cancellation_date / 1000, 'unixepoch')
        AS cancellation_date,
    purchase.is_trial_period,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM receipt
JOIN app USING (app_id)
CROSS JOIN submission USING (receipt_id)
CROSS JOIN receipt_purchase USING (receipt_id)
CROSS JOIN purchase
    ON purchase.app_id = receipt.app_id
    AND purchase.transaction_id = receipt_purchase.transaction_id
WHERE receipt.verdict = 'trusted'
    AND submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL;
