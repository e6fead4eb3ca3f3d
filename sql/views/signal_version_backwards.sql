-- On one device, the store made a receipt for an older version of the app than
-- one that it had made before. Innocent: a Mac to which an older copy was put
-- back, build numbers that were begun again.
CREATE VIEW signal_version_backwards AS
WITH place AS (
    SELECT version_id, dense_rank() OVER (ORDER BY version_key) AS place FROM version
),

candidate AS (
    -- By tags first, which an index holds; of one second, in any order: where a later second holds a lower version,
    -- a lower one stands behind a higher in each.
    SELECT DISTINCT stated.device_tag
    FROM (
        SELECT
            submission.device_tag,
            receipt.app_version_id,
            lag(receipt.app_version_id) OVER (
                PARTITION BY submission.device_tag, receipt.app_id
                ORDER BY receipt.receipt_creation_date / 1000
            ) AS previous_version_id
        FROM submission
        CROSS JOIN receipt USING (receipt_id)
        WHERE submission.device_tag IS NOT NULL
            AND submission.submission_id NOT IN (SELECT submission_id FROM submission WHERE device_check = 'mismatch')
            AND receipt.verdict = 'trusted'
            AND receipt.app_version_id IS NOT NULL
            AND receipt.receipt_creation_date IS NOT NULL
    ) AS stated
    CROSS JOIN place AS earlier ON earlier.version_id = stated.previous_version_id
    CROSS JOIN place AS later ON later.version_id = stated.app_version_id
    WHERE stated.app_version_id <> stated.previous_version_id
        AND later.place < earlier.place
),

seen AS MATERIALIZED (
    SELECT submission.submission_id, submission.receipt_id, submission.device_check, submission.device_key
    FROM (SELECT submission_id FROM submission WHERE device_tag IN (SELECT device_tag FROM candidate)) AS tagged
    CROSS JOIN device_submissions AS submission ON submission.submission_id = tagged.submission_id
    WHERE submission.device_key IS NOT NULL
),

made AS (
    -- One row per receipt: sent again, it says nothing new.
    SELECT DISTINCT
        seen.device_key,
        receipt.app_id,
        receipt.receipt_id,
        receipt.sha256,
        receipt.receipt_creation_date / 1000 AS creation_second,
        place.place,
        receipt.app_version_id
    FROM seen
    CROSS JOIN receipt ON receipt.receipt_id = seen.receipt_id
    CROSS JOIN place ON place.version_id = receipt.app_version_id
    WHERE receipt.verdict = 'trusted'
        -- Of a shared receipt, the device's own history says nothing.
        AND seen.device_check <> 'mismatch'
        AND receipt.receipt_creation_date IS NOT NULL
),

compared AS (
    SELECT
        device_key,
        receipt_id,
        app_version_id,
        lag(app_version_id) OVER history AS previous_version_id,
        lag(creation_second) OVER history AS previous_second,
        creation_second
    FROM made
    WINDOW history AS (PARTITION BY device_key, app_id ORDER BY creation_second, place, sha256)
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
    'version ' || earlier.version || ' before, ' || later.version || ' after' AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    NULL AS role,
    presentations.submission_number
FROM compared
CROSS JOIN version AS later ON later.version_id = compared.app_version_id
CROSS JOIN version AS earlier ON earlier.version_id = compared.previous_version_id
CROSS JOIN seen
    ON seen.receipt_id = compared.receipt_id
    AND seen.device_key = compared.device_key
CROSS JOIN presentations ON presentations.submission_number = seen.submission_id
WHERE later.version_key < earlier.version_key
    AND compared.creation_second > compared.previous_second;
