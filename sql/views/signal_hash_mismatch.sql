-- A trusted receipt presented by a device whose identifier does not give its
-- hash. Innocent: identifierForVendor is renewed when the vendor's last app is
-- removed, and MAC addresses change with docks and new machines.
CREATE VIEW signal_hash_mismatch AS
SELECT
    'hash_mismatch' AS signal,
    'medium' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    'the receipt''s hash was made for another device' AS detail,
    submitted_at AS observed_at,
    environment,
    NULL AS role,
    submission_number
FROM presentations
WHERE device_check = 'mismatch'
    AND verdict = 'trusted';
