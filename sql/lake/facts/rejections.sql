-- One row per line that holds no readable receipt.
SELECT
    archive_sha256,
    line,
    rejection.reason AS reason,
    rejection.detail AS detail
FROM decoded
WHERE rejection.reason IS NOT NULL
