-- A trusted receipt of an app that is none of those set: one genuine receipt of
-- another app, replayed everywhere, passes every other check. Innocent: an app of
-- yours that was not set.
CREATE VIEW signal_unexpected_bundle AS
SELECT
    'unexpected_bundle' AS signal,
    'high' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    'the app is none of those set up' AS detail,
    submitted_at AS observed_at,
    environment,
    NULL AS role,
    submission_number
FROM (
    SELECT receipt.receipt_id
    FROM receipt
    CROSS JOIN app ON app.app_id = receipt.app_id
    -- A renewal info names no app.
    WHERE receipt.kind <> 'signed_renewal'
        AND receipt.verdict = 'trusted'
        AND app.bundle_id NOT IN (SELECT bundle_id FROM app_setting)
        -- Where none is set, no receipt is looked at.
        AND EXISTS (SELECT 1 FROM app_setting)
) AS unexpected
CROSS JOIN presentations ON presentations.receipt_number = unexpected.receipt_id;
