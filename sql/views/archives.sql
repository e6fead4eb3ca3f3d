-- One row per archive. A file with the same content is the same archive, whatever its name.
--
-- Columns:
--   archive_id       –       –  first 16 hexadecimal digits of sha256
--   name             –       –  the file's name when it was first loaded; `-` for standard input
--   sha256           –       –  SHA-256 of the file's bytes as stored
--   bytes            bytes   –  size of the file
--   lines            lines   –  lines loaded so far: submissions and rejections
--   loaded_lines     lines   –  of the lines, submissions: documents that could be read
--   other_stores     lines   –  lines about purchases of other stores: rejections that are dismissed from the start
--   complete         0 or 1  –  1: read to its end, undamaged
--   first_loaded_at  time    –  when the loading of the archive began
--   completed_at     time    –  when the archive was loaded completely; null until then
CREATE VIEW archives AS
SELECT
    lower(substr(hex(sha256), 1, 16)) AS archive_id,
    name,
    lower(hex(sha256)) AS sha256,
    bytes,
    lines,
    loaded_lines,
    other_stores,
    complete,
    strftime('%Y-%m-%dT%H:%M:%SZ', first_loaded_at / 1000, 'unixepoch') AS first_loaded_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', completed_at / 1000, 'unixepoch') AS completed_at
FROM archive;
