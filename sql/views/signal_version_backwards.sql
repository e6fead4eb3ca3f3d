-- On one device, the store made a receipt for an older version of the app than
-- one that it had made before. Innocent: a Mac to which an older copy was put
-- back, build numbers that were begun again.
CREATE VIEW signal_version_backwards AS
WITH candidate AS (
    SELECT submission.device_id
    FROM submission
    CROSS JOIN receipt USING (receipt_id)
    WHERE submission.device_id IS NOT NULL
        AND receipt.verdict = 'trusted'
    GROUP BY submission.device_id
    HAVING min(receipt.app_version_id) <> max(receipt.app_version_id)
),

made AS (
    -- One row per receipt: sent again, it says nothing new.
    SELECT DISTINCT
        device_key,
        bundle_id,
        environment,
        receipt_number,
        creation_second,
        app_version,
        app_version_key
    FROM presentations
    WHERE device_id IN (SELECT device_id FROM candidate)
        AND verdict = 'trusted'
        -- Of a shared receipt, the device's own history says nothing.
        AND device_check <> 'mismatch'
        AND device_key IS NOT NULL
        AND creation_second IS NOT NULL
),

compared AS (
    SELECT
        device_key,
        receipt_number,
        app_version,
        app_version_key,
        lag(app_version) OVER history AS previous_version,
        lag(app_version_key) OVER history AS previous_version_key,
        lag(creation_second) OVER history AS previous_second,
        creation_second
    FROM made
    WINDOW history AS (PARTITION BY device_key, bundle_id, environment ORDER BY creation_second)
)

SELECT
    'version_backwards' AS signal,
    'low' AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    NULL AS transaction_id,
    presentations.archive,
    presentations.line,
    'version ' || compared.previous_version || ' before, ' || compared.app_version || ' after' AS detail,
    presentations.submitted_at AS observed_at
FROM compared
CROSS JOIN presentations
    ON presentations.receipt_number = compared.receipt_number
    AND presentations.device_key = compared.device_key
WHERE compared.app_version_key < compared.previous_version_key
    AND compared.creation_second > compared.previous_second;
