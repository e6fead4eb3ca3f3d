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
)

SELECT
    'replayed_consumable' AS signal,
    CASE
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
        || ' presented this consumable' AS detail,
    presentations.submitted_at AS observed_at
FROM shown
CROSS JOIN purchase USING (purchase_id)
CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = shown.transaction_id
CROSS JOIN receipt
    ON receipt.receipt_id = receipt_purchase.receipt_id
    AND receipt.app_id = purchase.app_id
CROSS JOIN presentations ON presentations.receipt_number = receipt.receipt_id
WHERE receipt.verdict = 'trusted';
