-- Several trusted receipts of one installation (one lineage: they share app,
-- opaque value and hash), presented by several devices. Equal bytes miss this,
-- because a refreshed receipt has new ones. Restores and innocent cases are as
-- with shared_receipt.
CREATE VIEW signal_shared_lineage AS
WITH candidate AS (
    -- Of two devices one is not the installation's own, so one index finds them.
    SELECT receipt.opaque_value, receipt.device_hash, receipt.app_id
    FROM submission
    CROSS JOIN receipt USING (receipt_id)
    WHERE submission.device_check = 'mismatch'
    UNION
    -- Many accounts: grouped as lineages are sorted, so that nothing is sorted, and
    -- neither receipts nor submissions are read. One too many is left out below.
    SELECT lineage.opaque_value, lineage.device_hash, lineage.app_id
    FROM receipt_lineage AS lineage
    CROSS JOIN submission USING (receipt_id)
    GROUP BY lineage.opaque_value, lineage.device_hash, lineage.app_id
    HAVING min(submission.account_tag) <> max(submission.account_tag)
        AND count(*) >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
),

shared AS (
    SELECT
        lineage.app_id,
        lineage.opaque_value,
        lineage.device_hash,
        -- All that match are one device, however it is written.
        count(DISTINCT CASE WHEN submission.device_check = 'match' THEN '' ELSE submission.device_key END) AS devices,
        count(DISTINCT submission.account_id) AS accounts,
        count(DISTINCT lineage.receipt_id) AS receipts
    FROM candidate
    JOIN receipt_lineage AS lineage USING (opaque_value, device_hash, app_id)
    JOIN receipt USING (receipt_id)
    JOIN device_submissions AS submission USING (receipt_id)
    WHERE receipt.verdict = 'trusted'
        AND submission.device_check <> 'server_issued'
    GROUP BY lineage.app_id, lineage.opaque_value, lineage.device_hash
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
            WHERE other.opaque_value = lineage.opaque_value
                AND other.device_hash = lineage.device_hash
                AND other.app_id = lineage.app_id
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
    shared.devices || ' devices and ' || shared.accounts || ' accounts presented '
        || shared.receipts || ' receipts of one installation' AS detail,
    submitted_at AS observed_at
FROM shared
JOIN receipt_lineage AS lineage USING (opaque_value, device_hash, app_id)
JOIN receipt ON receipt.receipt_id = lineage.receipt_id
JOIN presentations ON presentations.receipt_number = receipt.receipt_id
WHERE receipt.verdict = 'trusted'
    AND coalesce(presentations.device_id, presentations.account_id) IS NOT NULL;
