-- Archives that are loaded, but for those that have grown to another one here.
SELECT
    row_key(sha256) AS archive_id,
    name,
    unhex(sha256) AS sha256,
    bytes,
    lines,
    loaded_lines,
    complete,
    first_loaded_at,
    completed_at,
    -- Decoded lines do not say up to which line a checksum proves a damaged archive.
    CASE WHEN complete = 0 THEN CAST(0 AS BIGINT) END AS sound_lines
FROM loaded_archives
