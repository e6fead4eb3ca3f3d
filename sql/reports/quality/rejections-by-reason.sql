-- rejections-by-reason: Rejected lines by archive and reason
-- Which lines held no readable receipt, and why?
--
-- Grain: one row per archive, reason, what
--
-- Columns:
--   archive     text            name of the archive
--   reason      text            why, as in the view rejections
--   what        text            the detail without its numbers
--   lines       integer(lines)  lines rejected so
--   first_line  integer         the first of them
--   example     text            the detail of that line
--
-- Chart: bars  x=reason  y=lines  series=archive
--
-- Notes:
--   A device that sent what could not be read should refresh its receipt; the line has its name, and the archive the line.
--
-- Example:
--   receiptmill report rejections-by-reason --database mill.sqlite

WITH cut AS (
    SELECT
        archive, reason, line, detail,
        -- Details differ in places and lengths; what is wrong is the same.
        replace(replace(replace(replace(replace(
        replace(replace(replace(replace(replace(
            detail, '0', ''), '1', ''), '2', ''), '3', ''), '4', ''),
            '5', ''), '6', ''), '7', ''), '8', ''), '9', '') AS what
    FROM rejections
),

placed AS (
    SELECT
        archive, reason, line, detail, what,
        row_number() OVER (PARTITION BY archive, reason, what ORDER BY line) AS place,
        count(*) OVER (PARTITION BY archive, reason, what) AS lines
    FROM cut
)

SELECT
    archive, reason, what, lines, line AS first_line, detail AS example
FROM placed
WHERE place = 1
ORDER BY archive, lines DESC, reason, what;
