-- One row per line that presented a receipt.
SELECT
    archive_sha256,
    line,
    unhex(receipt.sha256) AS receipt_sha256,
    submission.device_id AS device_id,
    submission.account_id AS account_id,
    submission.submitted_at_ms AS submitted_at,
    submission.device_check AS device_check
FROM decoded
WHERE receipt.sha256 IS NOT NULL
