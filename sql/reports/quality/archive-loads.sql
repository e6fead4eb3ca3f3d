-- archive-loads: Loads by archive
-- What was loaded from each archive, and how much of it was rejected?
--
-- Grain: one row per archive_id
--
-- Columns:
--   archive_id       text            the archive
--   archive          text            its file name when it was first loaded
--   first_loaded_at  time            when its loading began
--   completed_at     time            when it was complete; null where it is not
--   complete         integer         1: read to its end
--   bytes            integer(bytes)  size of the file
--   lines            integer(lines)  lines settled so far
--   loaded_lines     integer(lines)  of these, lines with a readable receipt
--   rejected_lines   integer(lines)  of these, lines without
--   rejected_share   share           rejected_lines per line
--
-- Chart: bars  x=archive  y=loaded_lines,rejected_lines
--
-- Notes:
--   An archive that is not complete was interrupted or is damaged; loading it again
--   goes on where it stopped.
--
-- Example:
--   receiptmill report archive-loads --database mill.sqlite

SELECT
    archive_id, name AS archive, first_loaded_at, completed_at, complete, bytes, lines, loaded_lines,
    lines - loaded_lines AS rejected_lines,
    round(CAST(lines - loaded_lines AS DOUBLE) / nullif(lines, 0), 4) AS rejected_share
FROM archives
ORDER BY first_loaded_at, name, archive_id;
