-- Archives that are loaded, except those that have grown and are replaced by their longer version.
WITH dismissed AS (
    SELECT
        archive_sha256,
        sum(CASE WHEN reason <> 'table_header' THEN 1 ELSE 0 END) AS other_stores,
        sum(CASE WHEN reason = 'table_header' THEN 1 ELSE 0 END) AS headers
    FROM loaded_rejections
    WHERE reason IN ('table_header', 'google_play', 'amazon_appstore')
    GROUP BY archive_sha256
)

SELECT
    row_key(loaded.sha256) AS archive_id,
    loaded.name,
    unhex(loaded.sha256) AS sha256,
    loaded.bytes,
    loaded.lines,
    loaded.loaded_lines,
    coalesce(CAST(dismissed.other_stores AS BIGINT), 0) AS other_stores,
    coalesce(CAST(dismissed.headers AS BIGINT), 0) AS headers,
    loaded.complete,
    loaded.first_loaded_at,
    loaded.completed_at,
    -- Decoded lines do not state up to which line a checksum covers a damaged archive.
    CASE WHEN loaded.complete = 0 THEN CAST(0 AS BIGINT) END AS sound_lines
FROM loaded_archives AS loaded
LEFT JOIN dismissed ON dismissed.archive_sha256 = loaded.sha256
