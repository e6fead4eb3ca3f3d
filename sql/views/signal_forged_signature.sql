-- A receipt whose content is not what was signed. Innocent: never; a receipt
-- damaged on its way can hardly be read at all.
CREATE VIEW signal_forged_signature AS
SELECT
    'forged_signature' AS signal,
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
WHERE verdict = 'bad_signature';
