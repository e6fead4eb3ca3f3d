SELECT
    archive_sha256 || ':' || line AS submission_id,
    receipt_sha256 AS receipt_id,
    device_id,
    account_id,
    submitted_at,
    device_check,
    archive_sha256 AS archive_id,
    line
FROM loaded_submissions
