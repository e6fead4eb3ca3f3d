-- One row per archive, or report file of the store, that was taken out again. Tells of the commands, like `runs`.
--
-- Columns:
--   retraction_id  –      –  number of the retraction, in their order
--   retracted_at   time   –  when
--   archive        –      –  the file's name when it was first loaded
--   sha256         –      –  of the file's bytes as stored; of a report file of its text
--   lines          lines  –  lines that had been loaded of it: submissions and rejections, of a report file its rows
--   loaded_lines   lines  –  of these, submissions, or rows that could be read
CREATE VIEW retractions AS
SELECT
    retraction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', retracted_at / 1000, 'unixepoch') AS retracted_at,
    name AS archive,
    lower(hex(sha256)) AS sha256,
    lines,
    loaded_lines
FROM retraction;
