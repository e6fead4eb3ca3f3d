-- One row per archive, recognised by its content.
CREATE VIEW archives AS
SELECT
    lower(substr(hex(sha256), 1, 16)) AS archive_id,
    name,
    lower(hex(sha256)) AS sha256,
    bytes,
    lines,
    loaded_lines,
    complete,
    strftime('%Y-%m-%dT%H:%M:%SZ', first_loaded_at / 1000, 'unixepoch') AS first_loaded_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', completed_at / 1000, 'unixepoch') AS completed_at
FROM archive;
