-- One trusted receipt, the same bytes, presented by several devices. A receipt
-- carries one device's hash, so at most one of them is its own. A restore gives
-- the other device a receipt of its own and is not found here. Innocent: the
-- device's identifier has changed; two devices of one account are low for that.
-- Many accounts on one device count too, as medium: a household, or a device
-- identifier that is sent along with the receipt.
CREATE VIEW signal_shared_receipt AS
WITH candidate AS (
    -- Few receipts have two ways of writing a device; only those are counted.
    SELECT receipt_id
    FROM submission
    GROUP BY receipt_id
    HAVING min(device_id) <> max(device_id) OR min(account_id) <> max(account_id)
),

shared AS (
    SELECT
        candidate.receipt_id,
        count(DISTINCT submission.device_key) AS devices,
        count(DISTINCT submission.account_id) AS accounts
    FROM candidate
    CROSS JOIN receipt USING (receipt_id)
    CROSS JOIN device_submissions AS submission USING (receipt_id)
    WHERE receipt.verdict = 'trusted'
        AND submission.device_check <> 'server_issued'
    GROUP BY candidate.receipt_id
    HAVING count(DISTINCT submission.device_key) > 1
        OR count(DISTINCT submission.account_id)
            >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
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
