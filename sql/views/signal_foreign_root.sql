-- A receipt whose signature holds, under another root than ours. Innocent: a
-- test with an authority of its own. Receipts of Xcode are a signal of their own.
CREATE VIEW signal_foreign_root AS
SELECT
    'foreign_root' AS signal,
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
WHERE verdict = 'untrusted_root'
    AND coalesce(environment, '') NOT IN ('Xcode', 'LocalTesting');
