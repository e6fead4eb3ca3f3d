-- One non-consumable or subscription, known by its original transaction, held by
-- several accounts, or by more devices than the store lets one account have; and
-- so a purchase whose type no receipt states. A restore mints a new transaction but
-- keeps the original, so restores are counted: one person's devices share
-- purchases, one person's accounts seldom. Family members get transactions of
-- their own, each of which counts by itself, even where it names the buyer's
-- original. Innocent: a person with two accounts in the app, a device handed on to
-- somebody else.
CREATE VIEW signal_shared_transaction AS
WITH family_shared AS (
    SELECT shared.purchase_id
    FROM purchase_terms AS terms
    CROSS JOIN purchase AS shared
        ON shared.transaction_id = terms.transaction_id
        AND shared.app_id = terms.app_id
    WHERE terms.ownership = 'FAMILY_SHARED'
        AND terms.verdict = 'trusted'
),

stated AS (
    -- A receipt states many periods of one subscription.
    SELECT DISTINCT
        purchase.original_transaction_id,
        receipt_purchase.receipt_id,
        purchase.app_id
    FROM purchase
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
    WHERE (coalesce(purchase.product_type, -1) <> 1 OR purchase.expires_date IS NOT NULL)
        AND purchase.original_transaction_id IS NOT NULL
        AND purchase.purchase_id NOT IN (SELECT purchase_id FROM family_shared)
    UNION ALL
    SELECT purchase.transaction_id, receipt_purchase.receipt_id, purchase.app_id
    FROM family_shared
    CROSS JOIN purchase ON purchase.purchase_id = family_shared.purchase_id
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
),

candidate AS (
    -- Few are shared; only their receipts are looked at, and counted.
    SELECT stated.app_id, stated.original_transaction_id
    FROM stated
    CROSS JOIN submission ON submission.receipt_id = stated.receipt_id
    GROUP BY stated.original_transaction_id, stated.app_id
    HAVING min(submission.account_tag) <> max(submission.account_tag)
        OR (
            min(submission.device_tag) <> max(submission.device_tag)
            AND count(*) >= (SELECT value FROM signal_settings WHERE name = 'transaction_devices')
        )
),

holding AS (
    SELECT DISTINCT
        candidate.app_id,
        candidate.original_transaction_id,
        receipt.receipt_id
    FROM candidate
    CROSS JOIN purchase USING (app_id, original_transaction_id)
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = candidate.app_id
    WHERE receipt.verdict = 'trusted'
        AND purchase.purchase_id NOT IN (SELECT purchase_id FROM family_shared)
    UNION
    SELECT
        candidate.app_id,
        candidate.original_transaction_id,
        receipt.receipt_id
    FROM candidate
    CROSS JOIN purchase
        ON purchase.transaction_id = candidate.original_transaction_id
        AND purchase.app_id = candidate.app_id
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = purchase.app_id
    WHERE receipt.verdict = 'trusted'
        AND purchase.purchase_id IN (SELECT purchase_id FROM family_shared)
),

shared AS (
    SELECT
        holding.app_id,
        holding.original_transaction_id,
        count(DISTINCT submission.device_key) AS devices,
        count(DISTINCT submission.account_id) AS accounts
    FROM holding
    CROSS JOIN device_submissions AS submission ON submission.receipt_id = holding.receipt_id
    GROUP BY holding.app_id, holding.original_transaction_id
    HAVING count(DISTINCT submission.account_id)
            >= (SELECT value FROM signal_settings WHERE name = 'transaction_accounts')
        OR count(DISTINCT submission.device_key)
            >= (SELECT value FROM signal_settings WHERE name = 'transaction_devices')
),

-- Who presented a receipt with it on the device that it was made for, and how many accounts did.
holder AS (
    SELECT DISTINCT shared.app_id, shared.original_transaction_id, submission.account_id
    FROM shared
    JOIN holding USING (app_id, original_transaction_id)
    CROSS JOIN submission ON submission.receipt_id = holding.receipt_id
    WHERE submission.device_check = 'match'
),

bound AS (
    SELECT app_id, original_transaction_id, count(account_id) AS accounts
    FROM holder
    GROUP BY app_id, original_transaction_id
)

SELECT
    'shared_transaction' AS signal,
    CASE
        -- A holder is weighed by what holders did: a restore on another account's device makes it one.
        WHEN presentations.device_check = 'match' OR holder.app_id IS NOT NULL THEN CASE
            WHEN bound.accounts >= (SELECT value FROM signal_settings WHERE name = 'transaction_accounts_high')
                THEN 'high'
            WHEN bound.accounts >= (SELECT value FROM signal_settings WHERE name = 'transaction_accounts')
                THEN 'medium'
            ELSE 'low'
        END
        WHEN shared.accounts >= (SELECT value FROM signal_settings WHERE name = 'transaction_accounts_high')
            THEN 'high'
        WHEN shared.accounts >= (SELECT value FROM signal_settings WHERE name = 'transaction_accounts')
            THEN 'medium'
        ELSE 'low'
    END AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    CAST(shared.original_transaction_id AS TEXT) AS transaction_id,
    presentations.archive,
    presentations.line,
    shared.accounts || CASE shared.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
        || ' and ' || shared.devices || CASE shared.devices WHEN 1 THEN ' device' ELSE ' devices' END
        || ' hold this original transaction'
        || CASE WHEN bound.app_id IS NULL THEN ', none of them known as the one that its receipt was made for' ELSE '' END AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    CASE
        WHEN presentations.device_check = 'match' OR holder.app_id IS NOT NULL THEN 'holder'
        WHEN presentations.device_check = 'mismatch' AND bound.app_id IS NOT NULL THEN 'copier'
        ELSE 'unknown'
    END AS role,
    presentations.submission_number
FROM shared
JOIN holding USING (app_id, original_transaction_id)
CROSS JOIN presentations ON presentations.receipt_number = holding.receipt_id
LEFT JOIN bound ON bound.app_id = shared.app_id AND bound.original_transaction_id = shared.original_transaction_id
LEFT JOIN holder
    ON holder.app_id = shared.app_id
    AND holder.original_transaction_id = shared.original_transaction_id
    AND holder.account_id = presentations.account_id;
