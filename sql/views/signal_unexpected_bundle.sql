-- A trusted receipt of an app that is not ours: one genuine receipt of another
-- app, replayed everywhere, passes every other check.
CREATE VIEW signal_unexpected_bundle AS
SELECT
    'unexpected_bundle' AS signal,
    'high' AS severity,
    nullif(app.bundle_id, '') AS bundle_id,
    submission.device_id,
    submission.account_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    NULL AS transaction_id,
    archive.name AS archive,
    submission.line,
    'the app is none of those set up' AS detail,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS observed_at
FROM app
JOIN receipt USING (app_id)
JOIN submission USING (receipt_id)
JOIN archive USING (archive_id)
WHERE receipt.verdict = 'trusted'
    AND EXISTS (SELECT 1 FROM app_setting)
    AND app.bundle_id NOT IN (SELECT bundle_id FROM app_setting);
