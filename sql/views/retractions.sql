-- One row per archive, or report file of the store, whose rows were removed again. The rows record commands, as in
-- `runs`.
--
-- Columns:
--   retraction_id  –      –  number of the retraction, in chronological order
--   retracted_at   time   –  when the rows were removed
--   archive        –      –  the file's name when it was first loaded
--   sha256         –      –  SHA-256 of the file's bytes as stored; for a report file, of its text
--   lines          lines  –  lines loaded before: submissions and rejections; for a report file, its rows
--   loaded_lines   lines  –  of the lines, submissions; for a report file, rows that could be read
CREATE VIEW retractions AS
SELECT
    retraction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', retracted_at / 1000, 'unixepoch') AS retracted_at,
    name AS archive,
    lower(hex(sha256)) AS sha256,
    lines,
    loaded_lines
FROM retraction;
