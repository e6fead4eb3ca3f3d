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
    CAST(NULL AS BIGINT) AS sound_lines
FROM loaded_archives
