-- A trusted production receipt whose original version is newer than the version
-- that it is of. Innocent: build numbers that were begun again, a version taken
-- back.
CREATE VIEW signal_original_version_newer AS
SELECT
    'original_version_newer' AS signal,
    'low' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    'first got as ' || original_application_version || ', now ' || app_version AS detail,
    submitted_at AS observed_at,
    environment,
    NULL AS role,
    submission_number
FROM presentations
WHERE verdict = 'trusted'
    AND environment IN ('Production', 'ProductionVPP')
    AND original_application_version_key > app_version_key;
