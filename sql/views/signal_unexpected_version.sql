-- A trusted receipt of a version that its app's owner has not published, where
-- published versions are set. Innocent: a build for testers, or a version that
-- was left out of the list.
CREATE VIEW signal_unexpected_version AS
SELECT
    'unexpected_version' AS signal,
    'medium' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    'version ' || coalesce(app_version, '(none)') || ' is none of those published' AS detail,
    submitted_at AS observed_at,
    environment,
    NULL AS role,
    submission_number
FROM presentations
WHERE verdict = 'trusted'
    -- Of signed data app transactions alone name the version.
    AND kind NOT IN ('signed_transaction', 'signed_renewal', 'notification')
    -- Where none is set, no submission is looked at.
    AND EXISTS (SELECT 1 FROM app_expected_version)
    AND bundle_id IN (SELECT bundle_id FROM app_expected_version)
    AND NOT EXISTS (
        SELECT 1 FROM app_expected_version AS published
        WHERE published.bundle_id = presentations.bundle_id
            AND published.version = presentations.app_version
    );
