-- One trusted receipt, the same bytes, presented by several devices. A receipt
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
    GROUP BY candidate.receipt_id
    HAVING devices > 1
        OR (
            accounts > 1
            AND accounts >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
        )
)

SELECT
    'shared_receipt' AS signal,
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
    shared.devices || ' devices and ' || shared.accounts || ' accounts presented this receipt' AS detail,
    submitted_at AS observed_at
FROM shared
CROSS JOIN presentations ON presentations.receipt_number = shared.receipt_id
WHERE coalesce(device_id, account_id) IS NOT NULL;
