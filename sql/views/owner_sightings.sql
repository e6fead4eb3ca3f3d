-- One row per app and owner: when the owner last presented anything of the app, and
-- with which account and device. Owners are found as in app_owners, by trusted
-- documents. Renewal infos name no app and count only in the notification they came in.
--
-- Columns:
--   environment   –     attribute 0  as in purchases
--   bundle_id     –     attribute 2  as in purchases
--   owner         –     line         account, else device
--   owner_kind    –     –            `account` or `device`
--   account_id    –     line         the account itself; of a device, the account that last presented
--                                    anything of the app on it
--   device_id     –     line         the device itself; of an account, the device on which it last
--                                    presented anything of the app
--   last_seen     time  line         when it last presented anything; without a time of submission, when
--                                    the document was made
--   app_number    –     –            the app's number in this database alone, to count by
CREATE VIEW owner_sightings AS
WITH seen AS (
    SELECT
        receipt.app_id,
        submission.account_id,
        submission.device_id,
        max(coalesce(submission.submitted_at, receipt.receipt_creation_date)) AS seen_ms
    FROM submission
    CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.kind <> 'signed_renewal'
        AND submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    GROUP BY receipt.app_id, submission.account_id, submission.device_id
),

by_account AS (
    SELECT
        app_id,
        account_id,
        device_id,
        max(seen_ms) OVER latest AS last_seen_ms,
        row_number() OVER latest AS place
    FROM seen
    WHERE account_id IS NOT NULL
    WINDOW latest AS (
        PARTITION BY app_id, account_id
        ORDER BY device_id IS NULL, coalesce(seen_ms, 0) DESC, device_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
),

by_device AS (
    SELECT
        app_id,
        device_id,
        account_id,
        max(CASE WHEN account_id IS NULL THEN 1 ELSE 0 END) OVER latest AS is_owner,
        max(CASE WHEN account_id IS NULL THEN seen_ms END) OVER latest AS last_seen_ms,
        row_number() OVER latest AS place
    FROM seen
    WHERE device_id IS NOT NULL
    WINDOW latest AS (
        PARTITION BY app_id, device_id
        ORDER BY account_id IS NULL, coalesce(seen_ms, 0) DESC, account_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    owners.owner,
    owners.owner_kind,
    owners.account_id,
    owners.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', owners.last_seen_ms / 1000, 'unixepoch') AS last_seen,
    owners.app_id AS app_number
FROM (
    SELECT app_id, account_id AS owner, 'account' AS owner_kind, account_id, device_id, last_seen_ms
    FROM by_account
    WHERE place = 1
    UNION ALL
    SELECT app_id, device_id, 'device', account_id, device_id, last_seen_ms
    FROM by_device
    WHERE place = 1
        AND is_owner = 1
) AS owners
JOIN app ON app.app_id = owners.app_id;
