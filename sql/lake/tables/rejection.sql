SELECT
    row_key(archive_sha256) AS archive_id,
    line,
    coalesce(document, 1) AS document,
    reason,
    detail,
    'open' AS status
FROM loaded_rejections
