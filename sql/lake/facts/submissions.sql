-- One row per document of a line.
SELECT
    archive_sha256,
    line,
    unhex(receipt.sha256) AS receipt_sha256,
    submission.device_id AS device_id,
    submission.account_id AS account_id,
    submission.submitted_at_ms AS submitted_at,
    submission.device_check AS device_check,
    document
FROM decoded_documents
WHERE receipt.sha256 IS NOT NULL
