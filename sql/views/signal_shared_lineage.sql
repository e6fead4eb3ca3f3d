-- Several trusted receipts of one installation (one lineage: they share app,
-- opaque value and hash), presented by several devices. Equal bytes miss this,
-- because a refreshed receipt has new ones. Restores and innocent cases are as
-- with shared_receipt.
CREATE VIEW signal_shared_lineage AS
WITH candidate AS (
    -- Of two devices one is not the installation's own, so one index finds them.
    SELECT substr(receipt.device_hash, 1, 6) AS hash_prefix
    FROM submission
    CROSS JOIN receipt USING (receipt_id)
    WHERE submission.device_check = 'mismatch'
    UNION
    -- Many accounts: grouped as lineages are sorted, so that nothing is sorted, and
    -- neither receipts nor submissions are read. One too many is left out below.
    SELECT lineage.hash_prefix
    FROM receipt_lineage AS lineage
    CROSS JOIN submission USING (receipt_id)
    GROUP BY lineage.hash_prefix
    HAVING min(submission.account_tag) <> max(submission.account_tag)
        AND count(*) >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
),

installed AS MATERIALIZED (
    SELECT receipt.receipt_id, receipt.app_id, receipt.opaque_value, receipt.device_hash
    FROM candidate
    JOIN receipt_lineage AS lineage USING (hash_prefix)
    JOIN receipt USING (receipt_id)
    WHERE receipt.verdict = 'trusted'
),

shared AS (
    SELECT
        min(installed.receipt_id) AS subject,
        installed.app_id,
        installed.opaque_value,
        installed.device_hash,
        -- All that match are one device, however it is written.
        count(DISTINCT CASE WHEN submission.device_check = 'match' THEN '' ELSE submission.device_key END) AS devices,
        count(DISTINCT submission.account_id) AS accounts,
        count(DISTINCT installed.receipt_id) AS receipts
    FROM installed
    CROSS JOIN device_submissions AS submission USING (receipt_id)
    WHERE submission.device_check <> 'server_issued'
    GROUP BY installed.app_id, installed.opaque_value, installed.device_hash
    HAVING devices > 1
        OR (
            accounts > 1
            AND accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
        )
),

related AS (
    SELECT
        shared.subject,
        shared.devices,
        shared.accounts,
        shared.receipts,
        installed.receipt_id,
        min(installed.receipt_id) OVER (PARTITION BY shared.subject) AS first_receipt_id,
        max(installed.receipt_id) OVER (PARTITION BY shared.subject) AS last_receipt_id
    FROM shared
    JOIN installed USING (app_id, opaque_value, device_hash)
),

member AS (
    SELECT subject, devices, accounts, receipts, receipt_id
    FROM related
    WHERE first_receipt_id <> last_receipt_id
),

-- Who presented it on the device that it was made for, and how many accounts did.
holder AS (
    SELECT DISTINCT member.subject, submission.account_id
    FROM member
    CROSS JOIN submission ON submission.receipt_id = member.receipt_id
    WHERE submission.device_check = 'match'
),

bound AS (
    SELECT subject, count(account_id) AS accounts
    FROM holder
    GROUP BY subject
)

SELECT
    'shared_lineage' AS signal,
    CASE
        -- A holder is weighed by what holders did.
        WHEN presentations.device_check = 'match' OR holder.subject IS NOT NULL THEN CASE
            WHEN bound.accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high') THEN 'medium'
            ELSE 'low'
        END
        WHEN member.devices >= (SELECT value FROM signal_settings WHERE name = 'shared_devices_high') THEN 'high'
        WHEN member.devices > 1
            AND member.accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high') THEN 'high'
        WHEN member.devices >= (SELECT value FROM signal_settings WHERE name = 'shared_devices_medium') THEN 'medium'
        WHEN member.accounts > 1 THEN 'medium'
        ELSE 'low'
    END AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    NULL AS transaction_id,
    presentations.archive,
    presentations.line,
    member.devices || CASE member.devices WHEN 1 THEN ' device' ELSE ' devices' END
        || ' and ' || member.accounts || CASE member.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
        || ' presented '
        || member.receipts || CASE member.receipts WHEN 1 THEN ' receipt' ELSE ' receipts' END
        || ' of one installation'
        || CASE WHEN bound.subject IS NULL THEN ', none of them known as the one that they were made for' ELSE '' END AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    CASE
        WHEN presentations.device_check = 'match' OR holder.subject IS NOT NULL THEN 'holder'
        WHEN presentations.device_check = 'mismatch' AND bound.subject IS NOT NULL THEN 'copier'
        ELSE 'unknown'
    END AS role,
    presentations.submission_number
FROM member
JOIN presentations ON presentations.receipt_number = member.receipt_id
LEFT JOIN bound ON bound.subject = member.subject
LEFT JOIN holder
    ON holder.subject = member.subject
    AND holder.account_id = presentations.account_id
WHERE coalesce(presentations.device_id, presentations.account_id) IS NOT NULL;
