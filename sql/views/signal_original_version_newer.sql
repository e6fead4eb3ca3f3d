-- A trusted production receipt whose original version is newer than the version
-- that it is of. Innocent: build numbers that were begun again, a version taken
-- back.
CREATE VIEW signal_original_version_newer AS
WITH newer AS MATERIALIZED (
    SELECT receipt.receipt_id
    FROM receipt
    CROSS JOIN version ON version.version_id = receipt.app_version_id
    CROSS JOIN version AS original ON original.version_id = receipt.original_application_version_id
    WHERE receipt.verdict = 'trusted'
        AND original.version_key > version.version_key
)

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
FROM newer
CROSS JOIN presentations ON presentations.receipt_number = newer.receipt_id
WHERE environment IN ('Production', 'ProductionVPP');
