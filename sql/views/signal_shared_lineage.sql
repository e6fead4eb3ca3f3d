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

shared AS (
    SELECT
        receipt.app_id,
        receipt.opaque_value,
        receipt.device_hash,
        -- All that match are one device, however it is written.
        count(DISTINCT CASE WHEN submission.device_check = 'match' THEN '' ELSE submission.device_key END) AS devices,
        count(DISTINCT submission.account_id) AS accounts,
        count(DISTINCT receipt.receipt_id) AS receipts
    FROM candidate
    JOIN receipt_lineage AS lineage USING (hash_prefix)
    JOIN receipt USING (receipt_id)
    JOIN device_submissions AS submission USING (receipt_id)
    WHERE receipt.verdict = 'trusted'
        AND submission.device_check <> 'server_issued'
    GROUP BY receipt.app_id, receipt.opaque_value, receipt.device_hash
    HAVING (
            devices > 1
            OR (
                accounts > 1
                AND accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
            )
        )
        AND (
            SELECT min(related.receipt_id) <> max(related.receipt_id)
            FROM receipt_lineage AS other
            JOIN receipt AS related ON related.receipt_id = other.receipt_id
            WHERE other.hash_prefix = substr(receipt.device_hash, 1, 6)
                AND related.opaque_value = receipt.opaque_value
                AND related.device_hash = receipt.device_hash
                AND related.app_id = receipt.app_id
                AND related.verdict = 'trusted'
        )
)

SELECT
    'shared_lineage' AS signal,
    CASE
        WHEN devices >= (SELECT value FROM signal_settings WHERE name = 'shared_devices_high') THEN 'high'
        WHEN devices > 1
            AND accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high') THEN 'high'
        WHEN devices >= (SELECT value FROM signal_settings WHERE name = 'shared_devices_medium') THEN 'medium'
        WHEN accounts > 1 THEN 'medium'
        ELSE 'low'
    END AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    shared.devices || CASE shared.devices WHEN 1 THEN ' device' ELSE ' devices' END
        || ' and ' || shared.accounts || CASE shared.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
        || ' presented '
        || shared.receipts || ' receipts of one installation' AS detail,
    submitted_at AS observed_at
FROM shared
JOIN receipt_lineage AS lineage ON lineage.hash_prefix = substr(shared.device_hash, 1, 6)
JOIN receipt
    ON receipt.receipt_id = lineage.receipt_id
    AND receipt.opaque_value = shared.opaque_value
    AND receipt.device_hash = shared.device_hash
    AND receipt.app_id = shared.app_id
JOIN presentations ON presentations.receipt_number = receipt.receipt_id
WHERE receipt.verdict = 'trusted'
    AND coalesce(presentations.device_id, presentations.account_id) IS NOT NULL;
