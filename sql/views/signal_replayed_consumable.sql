-- A consumable presented by several accounts or devices: bought once, and
-- perhaps credited to each. The store restores no consumable. Innocent: a person
-- who signs in to another account on the device whose receipt still holds an
-- unfinished purchase, which is why two accounts on one device are medium.
CREATE VIEW signal_replayed_consumable AS
WITH candidate AS (
    -- Few are presented by two; only their receipts are looked at, and counted.
    SELECT purchase.purchase_id
    FROM purchase
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
    CROSS JOIN submission ON submission.receipt_id = receipt_purchase.receipt_id
    WHERE purchase.product_type = 1
    GROUP BY purchase.purchase_id
    HAVING min(submission.account_tag) <> max(submission.account_tag)
        OR min(submission.device_tag) <> max(submission.device_tag)
),

shown AS (
    SELECT
        purchase.purchase_id,
        min(purchase.transaction_id) AS transaction_id,
        count(DISTINCT submission.account_id) AS accounts,
        count(DISTINCT submission.device_key) AS devices
    FROM candidate
    CROSS JOIN purchase USING (purchase_id)
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = purchase.app_id
    CROSS JOIN device_submissions AS submission ON submission.receipt_id = receipt.receipt_id
    WHERE receipt.verdict = 'trusted'
    GROUP BY purchase.purchase_id
    HAVING count(DISTINCT submission.account_id) > 1
        OR count(DISTINCT submission.device_key) > 1
),

stating AS (
    SELECT shown.purchase_id, receipt.receipt_id
    FROM shown
    CROSS JOIN purchase USING (purchase_id)
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = shown.transaction_id
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = purchase.app_id
    WHERE receipt.verdict = 'trusted'
),

-- Who presented a receipt with it on the device that it was made for, and how many accounts did.
holder AS (
    SELECT DISTINCT stating.purchase_id, submission.account_id
    FROM stating
    CROSS JOIN submission ON submission.receipt_id = stating.receipt_id
    WHERE submission.device_check = 'match'
),

bound AS (
    SELECT purchase_id, count(account_id) AS accounts
    FROM holder
    GROUP BY purchase_id
)

SELECT
    'replayed_consumable' AS signal,
    CASE
        -- A holder is weighed by what holders did.
        WHEN presentations.device_check = 'match' OR holder.purchase_id IS NOT NULL THEN CASE
            WHEN bound.accounts >= (SELECT value FROM signal_settings WHERE name = 'replay_accounts_high') THEN 'high'
            WHEN bound.accounts > 1 THEN 'medium'
            ELSE 'low'
        END
        WHEN shown.accounts >= (SELECT value FROM signal_settings WHERE name = 'replay_accounts_high') THEN 'high'
        WHEN shown.accounts > 1 AND shown.devices > 1 THEN 'high'
        WHEN shown.accounts > 1 THEN 'medium'
        ELSE 'low'
    END AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    CAST(shown.transaction_id AS TEXT) AS transaction_id,
    presentations.archive,
    presentations.line,
    shown.accounts || CASE shown.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
        || ' and ' || shown.devices || CASE shown.devices WHEN 1 THEN ' device' ELSE ' devices' END
        || ' presented this consumable'
        || CASE WHEN bound.purchase_id IS NULL THEN ', none of them known as the one that its receipt was made for' ELSE '' END AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    CASE
        WHEN presentations.device_check = 'match' OR holder.purchase_id IS NOT NULL THEN 'holder'
        WHEN presentations.device_check = 'mismatch' AND bound.purchase_id IS NOT NULL THEN 'copier'
        ELSE 'unknown'
    END AS role,
    presentations.submission_number
FROM stating
JOIN shown ON shown.purchase_id = stating.purchase_id
CROSS JOIN presentations ON presentations.receipt_number = stating.receipt_id
LEFT JOIN bound ON bound.purchase_id = stating.purchase_id
LEFT JOIN holder
    ON holder.purchase_id = stating.purchase_id
    AND holder.account_id = presentations.account_id;
