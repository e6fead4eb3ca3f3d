-- A receipt with an algorithm or a key that the store does not use. Innocent: a
-- future change of the store's.
CREATE VIEW signal_unsupported_algorithm AS
SELECT
    'unsupported_algorithm' AS signal,
    'low' AS severity,
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
WHERE verdict = 'unsupported_algorithm';
