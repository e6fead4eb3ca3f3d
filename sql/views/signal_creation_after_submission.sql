-- A trusted receipt that was created after it was submitted, by more than clocks
-- differ. Innocent: a submission timed by a device whose clock is wrong.
CREATE VIEW signal_creation_after_submission AS
SELECT
    'creation_after_submission' AS signal,
    'low' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    'created ' || receipt_creation_date || ', submitted ' || submitted_at AS detail,
    submitted_at AS observed_at,
    environment,
    NULL AS role,
    submission_number
FROM presentations
WHERE verdict = 'trusted'
    -- As in signal_purchase_after_creation.
    AND creation_second > submission_second
    AND creation_second > submission_second
        + (SELECT value FROM signal_settings WHERE name = 'clock_tolerance');
