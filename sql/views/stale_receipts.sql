-- Receipts that their device should refresh, and why. One row per app, environment, reason and device; or, if no device
-- is known, account.
--
-- Columns:
--   environment        –            attribute 0  environment that the receipt states
--   bundle_id          –            attribute 2  bundle identifier of the app
--   device_id          –            line         the device, as the lines write it; null if only the account is known
--   account_id         –            line         account that presented a receipt to refresh; of several, the last in
--                                                alphabetical order
--   reason             –            –            `no_original_version`: attribute 19 is absent, as before 2013-06-20;
--                                                `hash_mismatch`: made for another device, as after a move to a new
--                                                one; `not_trusted`: the receipt fails verification; `superseded`:
--                                                presented after a newer receipt of its installation had been created
--   submissions        submissions  –            number of submissions of receipts to refresh
--   last_submitted_at  time         line         time of the last submission of a receipt to refresh; null if no line
--                                                states one
--   receipt_sha256     –            –            SHA-256 of the receipt of the last submission
--   app_version        –            attribute 3  version of the app that the receipt of the last submission states
--   owner              –            line         whom to contact: the account, else the device
--   owner_kind         –            –            what identifies the owner: `account` or `device`
--   last_seen          time         line         when the owner last presented a document of the app
--   app_id             –            –            the app's number in this database alone, as in apps
CREATE VIEW stale_receipts AS
WITH placed AS (
    SELECT
        stale.reason,
        receipt.app_id,
        receipt.sha256,
        receipt.app_version_id,
        submission.device_id,
        submission.submitted_at,
        max(submission.account_id) OVER whole AS account_id,
        count(*) OVER whole AS submissions,
        row_number() OVER (
            PARTITION BY
                stale.reason, receipt.app_id, submission.device_id,
                CASE WHEN submission.device_id IS NULL THEN submission.account_id END
            ORDER BY coalesce(submission.submitted_at, -1) DESC, receipt.sha256 DESC, stale.submission_id DESC
        ) AS place
    FROM model_stale_lines AS stale
    JOIN submission ON submission.submission_id = stale.submission_id
    JOIN receipt ON receipt.receipt_id = submission.receipt_id
    WINDOW whole AS (
        PARTITION BY
            stale.reason, receipt.app_id, submission.device_id,
            CASE WHEN submission.device_id IS NULL THEN submission.account_id END
    )
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    stale.device_id,
    stale.account_id,
    stale.reason,
    CAST(stale.submissions AS BIGINT) AS submissions,
    strftime('%Y-%m-%dT%H:%M:%SZ', stale.submitted_at / 1000, 'unixepoch') AS last_submitted_at,
    lower(hex(stale.sha256)) AS receipt_sha256,
    version.version AS app_version,
    coalesce(stale.account_id, stale.device_id) AS owner,
    CASE WHEN stale.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
    -- The submission of an untrusted document counts, too; model_users leaves such documents out.
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE
            WHEN users.last_seen_ms >= coalesce(stale.submitted_at, 0) THEN users.last_seen_ms
            ELSE stale.submitted_at
        END / 1000, 'unixepoch') AS last_seen,
    stale.app_id
FROM placed AS stale
LEFT JOIN app ON app.app_id = stale.app_id
LEFT JOIN version ON version.version_id = stale.app_version_id
LEFT JOIN model_users AS users
    ON users.name = coalesce(stale.account_id, stale.device_id)
    AND users.is_device = CASE WHEN stale.account_id IS NULL THEN 1 ELSE 0 END
    AND users.app_id = stale.app_id
WHERE stale.place = 1;
