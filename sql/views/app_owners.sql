-- One row per owner of an app in an environment: the account where known, else
-- the device, that presented a trusted receipt. A receipt whose hash belongs to
-- another device proves nothing of who presents it and is left out.
--
-- Of several original versions the earliest counts, in the owner's favour. The
-- era is known for production receipts that state an original version, of apps
-- whose first free version is set.
CREATE VIEW app_owners AS
WITH presented AS (
    SELECT
        receipt.app_id,
        coalesce(submission.account_id, submission.device_id) AS owner,
        CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
        version.version_key || char(9) || version.version AS keyed_version,
        coalesce(submission.submitted_at, receipt.receipt_creation_date) AS seen_at
    FROM submission
    JOIN receipt USING (receipt_id)
    LEFT JOIN version ON version.version_id = receipt.original_application_version_id
    WHERE receipt.verdict = 'trusted'
        AND submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
),

owned AS (
    SELECT
        app_id,
        owner,
        owner_kind,
        min(keyed_version) AS keyed_version,
        min(seen_at) AS first_seen_at
    FROM presented
    GROUP BY app_id, owner, owner_kind
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    owned.owner,
    owned.owner_kind,
    substr(owned.keyed_version, instr(owned.keyed_version, char(9)) + 1)
        AS original_application_version,
    substr(owned.keyed_version, 1, instr(owned.keyed_version, char(9)) - 1)
        AS original_application_version_key,
    strftime('%Y-%m-%dT%H:%M:%SZ', owned.first_seen_at / 1000, 'unixepoch') AS first_seen_at,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
        WHEN setting.first_free_version_key IS NULL OR owned.keyed_version IS NULL THEN 'unknown'
        WHEN substr(owned.keyed_version, 1, instr(owned.keyed_version, char(9)) - 1)
            < setting.first_free_version_key THEN 'paid'
        ELSE 'free'
    END AS era
FROM owned
JOIN app USING (app_id)
LEFT JOIN app_setting AS setting USING (bundle_id);
