-- One row per line of an archive that presented a receipt.
--
-- app_check is judged when it is read, so that a changed setting holds for all
-- rows at once. An expiration date is compared with the time of submission,
-- else with now.
CREATE VIEW submissions AS
SELECT
    lower(substr(hex(archive.sha256), 1, 16)) || ':' || submission.line AS submission_id,
    archive.name AS archive,
    submission.line,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.verdict,
    submission.device_id,
    submission.account_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS submitted_at,
    submission.device_check,
    CASE
        WHEN setting.bundle_id IS NULL AND EXISTS (SELECT 1 FROM app_setting) THEN 'unexpected_bundle'
        WHEN receipt.expiration_date
            <= coalesce(submission.submitted_at, CAST(strftime('%s', 'now') AS INTEGER) * 1000)
            THEN 'expired'
        WHEN setting.bundle_id IS NULL THEN 'not_configured'
        ELSE 'expected'
    END AS app_check
FROM submission
JOIN archive USING (archive_id)
JOIN receipt USING (receipt_id)
JOIN app USING (app_id)
LEFT JOIN app_setting AS setting USING (bundle_id);
