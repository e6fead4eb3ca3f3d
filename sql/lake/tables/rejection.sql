SELECT
    archive_sha256 AS archive_id,
    line,
    reason,
    detail,
    CAST(NULL AS BIGINT) AS cleared_by
FROM loaded_rejections
