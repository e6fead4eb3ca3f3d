-- A trusted receipt of a volume purchase, presented after its license had
-- expired. Innocent: a license that was renewed while the receipt was not.
CREATE VIEW signal_volume_license_expired AS
SELECT
    'volume_license_expired' AS signal,
    'medium' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    'the volume license expired on ' || substr(expiration_date, 1, 10) AS detail,
    submitted_at AS observed_at,
    environment,
    NULL AS role,
    submission_number
FROM presentations
WHERE verdict = 'trusted'
    AND receipt_number IN (SELECT receipt_id FROM receipt WHERE expiration_date IS NOT NULL)
    AND expiration_date <= submitted_at;
