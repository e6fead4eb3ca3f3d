-- One trusted receipt, the same bytes, presented by several devices. Of signed data
-- other bytes may hold the same text under a signature that was made of the first,
-- and so the text counts: devices of what the store signed at one moment about one
-- transaction, subscription or app; accounts of a transaction, whenever it was signed,
-- since each device of a customer gets it signed anew. A receipt
-- carries one device's hash, so at most one of them is its own; one that the store
-- gave to a server is no device's. A restore gives the other device a receipt of
-- its own and is not found here. Innocent: the device's identifier has changed; two
-- devices of one account are low for that. Many accounts on one device count too,
-- as medium: a household, or a device identifier that is sent along with the
-- receipt.
CREATE VIEW signal_shared_receipt AS
WITH candidate AS (
    -- Tags and counts stand in an index; one too many is left out below.
    SELECT receipt_id
    FROM submission
    GROUP BY receipt_id
    HAVING min(device_tag) <> max(device_tag)
        OR count(*) >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
),

shared AS (
    SELECT
        candidate.receipt_id,
        -- All that match are one device, however it is written.
        count(DISTINCT CASE WHEN submission.device_check = 'match' THEN '' ELSE submission.device_key END) AS devices,
        count(DISTINCT submission.account_id) AS accounts
    FROM candidate
    CROSS JOIN receipt USING (receipt_id)
    CROSS JOIN device_submissions AS submission USING (receipt_id)
    WHERE receipt.verdict = 'trusted'
        AND receipt.kind NOT IN ('signed_transaction', 'signed_renewal', 'app_transaction')
    GROUP BY candidate.receipt_id
    HAVING devices > 1
        OR (
            accounts > 1
            AND accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
        )
),

-- Signed data by subject, which accounts share, and by text, which devices share. Two texts about one thing, signed in
-- the same millisecond, are one.
signed AS (
    SELECT
        receipt_id,
        transaction_id,
        min(receipt_id) OVER (PARTITION BY transaction_id, app_id, kind, about_when, installed) AS subject,
        min(receipt_id) OVER (PARTITION BY transaction_id, app_id, kind, created_at, installed) AS text
    FROM (
        SELECT
            receipt.receipt_id,
            receipt.kind,
            receipt.app_id,
            receipt.receipt_creation_date AS created_at,
            0 AS about_when,
            receipt_purchase.transaction_id,
            0 AS installed
        FROM purchase_terms AS terms
        CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = terms.transaction_id
        CROSS JOIN receipt
            ON receipt.receipt_id = receipt_purchase.receipt_id
            AND receipt.app_id = terms.app_id
        WHERE terms.verdict = 'trusted'
            AND receipt.verdict = 'trusted'
            AND receipt.kind = 'signed_transaction'
        UNION ALL
        SELECT
            receipt.receipt_id,
            receipt.kind,
            receipt.app_id,
            receipt.receipt_creation_date,
            receipt.receipt_creation_date,
            renewal.original_transaction_id,
            0
        FROM renewal
        CROSS JOIN receipt ON receipt.receipt_id = renewal.receipt_id
        UNION ALL
        SELECT
            receipt.receipt_id,
            receipt.kind,
            receipt.app_id,
            receipt.receipt_creation_date,
            receipt.receipt_creation_date,
            NULL,
            receipt.original_purchase_date
        FROM app_transaction
        CROSS JOIN receipt ON receipt.receipt_id = app_transaction.receipt_id
    ) AS told
),

signed_candidate AS (
    SELECT signed.subject
    FROM signed
    CROSS JOIN submission ON submission.receipt_id = signed.receipt_id
    GROUP BY signed.subject
    HAVING min(submission.device_tag) <> max(submission.device_tag)
        OR min(submission.account_tag) <> max(submission.account_tag)
),

counted AS (
    SELECT
        signed.subject,
        signed.text,
        count(DISTINCT CASE WHEN submission.device_check = 'match' THEN '' ELSE submission.device_key END) AS devices
    FROM signed_candidate
    JOIN signed ON signed.subject = signed_candidate.subject
    CROSS JOIN device_submissions AS submission ON submission.receipt_id = signed.receipt_id
    GROUP BY signed.subject, signed.text
),

presenting AS (
    SELECT signed.subject, count(DISTINCT submission.account_id) AS accounts
    FROM signed_candidate
    JOIN signed ON signed.subject = signed_candidate.subject
    CROSS JOIN submission ON submission.receipt_id = signed.receipt_id
    GROUP BY signed.subject
),

found AS (
    SELECT receipt_id, receipt_id AS subject, NULL AS transaction_id, devices, accounts FROM shared
    UNION ALL
    SELECT signed.receipt_id, signed.subject, signed.transaction_id, counted.devices, presenting.accounts
    FROM (SELECT subject, max(devices) AS devices FROM counted GROUP BY subject) AS counted
    JOIN presenting ON presenting.subject = counted.subject
    JOIN signed ON signed.subject = counted.subject
    WHERE counted.devices > 1
        OR (
            presenting.accounts > 1
            AND presenting.accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
        )
),

-- Who presented it on the device that it was made for, and how many accounts did.
holder AS (
    SELECT DISTINCT found.subject, submission.account_id
    FROM found
    CROSS JOIN submission ON submission.receipt_id = found.receipt_id
    WHERE submission.device_check = 'match'
),

bound AS (
    SELECT subject, count(account_id) AS accounts
    FROM holder
    GROUP BY subject
)

SELECT
    'shared_receipt' AS signal,
    CASE
        -- A holder is weighed by what holders did.
        WHEN presentations.device_check = 'match' OR holder.subject IS NOT NULL THEN CASE
            WHEN bound.accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high') THEN 'medium'
            ELSE 'low'
        END
        WHEN found.devices >= (SELECT value FROM signal_settings WHERE name = 'shared_devices_high') THEN 'high'
        WHEN found.devices > 1
            AND found.accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high') THEN 'high'
        WHEN found.devices >= (SELECT value FROM signal_settings WHERE name = 'shared_devices_medium') THEN 'medium'
        WHEN found.accounts > 1 THEN 'medium'
        ELSE 'low'
    END AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    CAST(found.transaction_id AS TEXT) AS transaction_id,
    presentations.archive,
    presentations.line,
    found.devices || CASE found.devices WHEN 1 THEN ' device' ELSE ' devices' END
        || ' and ' || found.accounts || CASE found.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
        || ' presented this receipt'
        || CASE WHEN bound.subject IS NULL THEN ', none of them known as the one that it was made for' ELSE '' END AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    CASE
        WHEN presentations.device_check = 'match' OR holder.subject IS NOT NULL THEN 'holder'
        WHEN presentations.device_check = 'mismatch' AND bound.subject IS NOT NULL THEN 'copier'
        ELSE 'unknown'
    END AS role,
    presentations.submission_number
FROM found
CROSS JOIN presentations ON presentations.receipt_number = found.receipt_id
LEFT JOIN bound ON bound.subject = found.subject
LEFT JOIN holder ON holder.subject = found.subject AND holder.account_id = presentations.account_id
WHERE coalesce(presentations.device_id, presentations.account_id) IS NOT NULL;
