-- A receipt signed by a certificate that was not made for receipts, though it
-- may chain to the root: anyone with a developer certificate can make one.
-- Innocent: a sample of Apple's from 2010.
CREATE VIEW signal_missing_markers AS
SELECT
    'missing_markers' AS signal,
    'high' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    verdict_detail AS detail,
    submitted_at AS observed_at,
    NULL AS environment,
    NULL AS role,
    submission_number
FROM untrusted_presentations
WHERE verdict = 'wrong_purpose';
