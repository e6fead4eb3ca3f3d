-- A receipt whose certificates don't lead to a root: one is missing or did not
-- sign the next; of signed data the order is theirs. Innocent: a receipt cut by its sender's software.
CREATE VIEW signal_broken_chain AS
SELECT
    'broken_chain' AS signal,
    -- Receipts of iOS 6 don't carry the intermediate: without --intermediate it is missing from each.
    CASE kind WHEN 'transaction_receipt' THEN 'low' ELSE 'medium' END AS severity,
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
WHERE verdict = 'broken_chain';
