-- One trusted receipt, the same bytes, presented by several devices. A receipt
-- carries one device's hash, so at most one of them is its own. A restore gives
-- the other device a receipt of its own and is not found here. Innocent: the
-- device's identifier has changed; two devices of one account are low for that.
-- Many accounts on one device count too, as medium: a household, or a device
-- identifier that is sent along with the receipt.
CREATE VIEW signal_shared_receipt AS
WITH repeated AS (
    SELECT receipt_id, count(*) AS submissions
    FROM submission
    GROUP BY receipt_id
    HAVING count(*) > 1
),

candidate AS (
    -- Of two devices one is not the receipt's own, so one index finds them; many
    -- accounts take many submissions, and a receipt without a hash fits nobody.
    SELECT receipt_id FROM submission WHERE device_check = 'mismatch'
    UNION
    SELECT receipt_id FROM repeated
    WHERE submissions >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
    UNION
    SELECT repeated.receipt_id FROM repeated
    CROSS JOIN receipt USING (receipt_id)
    WHERE receipt.opaque_value IS NULL
        OR receipt.device_hash IS NULL
        OR receipt.app_id IN (SELECT app_id FROM app WHERE bundle_id = '')
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
        AND submission.device_check <> 'server_issued'
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
