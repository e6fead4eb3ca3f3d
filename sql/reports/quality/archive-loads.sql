-- archive-loads: Loads by archive
-- What was loaded from each archive, and how much of it was rejected?
--
-- Grain: one row per archive_id
--
-- Columns:
--   archive_id       text            the archive
--   name             text            its file name when it was first loaded
--   first_loaded_at  time            when its loading began
--   completed_at     time            when it was complete; null where it is not
--   complete         integer         1: read to its end
--   bytes            integer(bytes)  size of the file
--   lines            integer(lines)  lines settled so far
--   submissions      integer(lines)  of these, lines with a readable receipt
--   rejected         integer(lines)  of these, lines without
--   rejected_share   share           rejected per line
--
-- Chart: bars  x=name  y=submissions,rejected
--
-- Notes:
--   An archive that is not complete was interrupted or is damaged; loading it again
--   goes on where it stopped.
--
-- Example:
--   receiptmill report archive-loads --database mill.sqlite

SELECT
    archive_id,
    name,
    first_loaded_at,
    completed_at,
    complete,
    bytes,
    lines,
    loaded_lines AS submissions,
    lines - loaded_lines AS rejected,
    round(CAST(lines - loaded_lines AS DOUBLE) / nullif(lines, 0), 4) AS rejected_share
FROM archives
ORDER BY first_loaded_at, name, archive_id;
