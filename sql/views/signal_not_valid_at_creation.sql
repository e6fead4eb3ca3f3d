-- A receipt whose certificates had run out when it was created. Innocent: the
-- store did so for some hours of February 2023.
CREATE VIEW signal_not_valid_at_creation AS
SELECT
    'not_valid_at_creation' AS signal,
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
WHERE verdict = 'not_valid_at_creation';
