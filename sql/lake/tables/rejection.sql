SELECT
    row_key(archive_sha256) AS archive_id,
    line,
    coalesce(document, 1) AS document,
    reason,
    detail,
    CASE WHEN reason IN ('table_header', 'google_play', 'amazon_appstore') THEN 'dismissed' ELSE 'open' END AS status
FROM loaded_rejections
