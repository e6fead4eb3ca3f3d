SELECT
    archive_sha256 AS archive_id,
    line,
    reason,
    detail,
    'open' AS status
FROM loaded_rejections
