-- One row per submission that shows an owner's claim and transaction that the
-- submitted receipt states: which owner of an app bought what. An owner is
-- known as in app_owners, by the same receipts: trusted, and not presented by
-- another device than the one they were made for. A transaction inside another
-- document is shown by the submissions of that. What was presented without account
-- and device belongs to those who presented another trusted receipt of the same
-- original transaction. A transaction that several submissions show stands several
-- times.
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
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
UNION ALL
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
FROM receipt_part
CROSS JOIN receipt ON receipt.receipt_id = receipt_part.part_receipt_id
CROSS JOIN app ON app.app_id = receipt.app_id
CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = receipt.receipt_id
CROSS JOIN purchase
    ON purchase.app_id = receipt.app_id
    AND purchase.transaction_id = receipt_purchase.transaction_id
WHERE receipt.verdict = 'trusted'
    AND submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
UNION ALL
-- Of what was presented without account and device, those who presented another of the same original.
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    others.owner,
    others.owner_kind,
    CAST(others.transaction_id AS TEXT) AS transaction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', others.purchase_date / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', others.cancellation_date / 1000, 'unixepoch') AS cancellation_date,
    others.is_trial_period,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM (
    SELECT DISTINCT
        ownerless.submission_id,
        ownerless.receipt_id,
        purchase.transaction_id,
        purchase.purchase_date,
        purchase.cancellation_date,
        purchase.is_trial_period,
        coalesce(submission.account_id, submission.device_id) AS owner,
        CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind
    FROM (
        SELECT submission_id, receipt_id
        FROM submission
        WHERE account_id IS NULL AND device_id IS NULL
        UNION ALL
        SELECT submission.submission_id, receipt_part.part_receipt_id
        FROM receipt_part
        CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
        WHERE submission.account_id IS NULL AND submission.device_id IS NULL
    ) AS ownerless
    CROSS JOIN receipt AS stating ON stating.receipt_id = ownerless.receipt_id
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = ownerless.receipt_id
    CROSS JOIN purchase
        ON purchase.app_id = stating.app_id
        AND purchase.transaction_id = receipt_purchase.transaction_id
    CROSS JOIN purchase AS related
        ON related.original_transaction_id = purchase.original_transaction_id
        AND related.app_id = purchase.app_id
    CROSS JOIN receipt_purchase AS related_link ON related_link.transaction_id = related.transaction_id
    CROSS JOIN receipt AS other
        ON other.receipt_id = related_link.receipt_id
        AND other.app_id = related.app_id
    CROSS JOIN submission ON submission.receipt_id = other.receipt_id
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
    LEFT JOIN purchase_terms AS related_terms
        ON related_terms.transaction_id = related.transaction_id
        AND related_terms.app_id = related.app_id
        AND related_terms.verdict = 'trusted'
    WHERE stating.verdict = 'trusted'
        AND other.verdict = 'trusted'
        AND submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
        -- A family member is not the buyer.
        AND CASE WHEN terms.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END
            = CASE WHEN related_terms.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END
) AS others
CROSS JOIN receipt ON receipt.receipt_id = others.receipt_id
CROSS JOIN app ON app.app_id = receipt.app_id;
