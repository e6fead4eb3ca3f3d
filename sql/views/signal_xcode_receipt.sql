-- A receipt that says it is of Xcode's local store, or of a test of StoreKit, which
-- sign with a developer's own certificate. Innocent: a developer's device; in production
-- nobody has one. The environment is the receipt's own word, but that it is not
-- trusted is ours.
CREATE VIEW signal_xcode_receipt AS
SELECT
    'xcode_receipt' AS signal,
    'low' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    'a receipt of Xcode''s local store' AS detail,
    submitted_at AS observed_at,
    NULL AS environment,
    NULL AS role,
    submission_number
FROM untrusted_presentations
WHERE verdict = 'untrusted_root'
    AND environment IN ('Xcode', 'LocalTesting');
