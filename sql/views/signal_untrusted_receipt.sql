-- A receipt that fails verification, by the way it fails. A receipt of Xcode's
-- local store is a developer's, and one whose certificates had run out by some
-- hours is an oddity of the store's: neither is a forgery.
CREATE VIEW signal_untrusted_receipt AS
SELECT
    CASE receipt.verdict
        WHEN 'bad_signature' THEN 'forged_signature'
        WHEN 'untrusted_root' THEN 'foreign_root'
        WHEN 'wrong_purpose' THEN 'missing_markers'
        ELSE receipt.verdict
    END AS signal,
    CASE
        -- Only here: the environment is the receipt's own word, and a forger's.
        WHEN receipt.verdict = 'untrusted_root' AND app.environment = 'Xcode' THEN 'low'
        WHEN receipt.verdict IN ('bad_signature', 'untrusted_root', 'wrong_purpose') THEN 'high'
        WHEN receipt.verdict = 'broken_chain' THEN 'medium'
        ELSE 'low'
    END AS severity,
    nullif(app.bundle_id, '') AS bundle_id,
    submission.device_id,
    submission.account_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    NULL AS transaction_id,
    archive.name AS archive,
    submission.line,
    receipt.verdict_detail AS detail,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS observed_at
FROM receipt
JOIN app USING (app_id)
JOIN submission USING (receipt_id)
JOIN archive USING (archive_id)
WHERE receipt.verdict <> 'trusted';
