-- A trusted receipt presented by a device whose identifier does not give its
-- hash. Innocent: identifierForVendor is renewed when the vendor's last app is
-- removed, and MAC addresses change with docks and new machines.
CREATE VIEW signal_hash_mismatch AS
SELECT
    'hash_mismatch' AS signal,
    'medium' AS severity,
    nullif(app.bundle_id, '') AS bundle_id,
    submission.device_id,
    submission.account_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    NULL AS transaction_id,
    archive.name AS archive,
    submission.line,
    'the receipt''s hash was made for another device' AS detail,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS observed_at
FROM submission
JOIN archive USING (archive_id)
JOIN receipt USING (receipt_id)
JOIN app USING (app_id)
WHERE submission.device_check = 'mismatch'
    AND receipt.verdict = 'trusted';
