-- archive-loads: Loads by archive, and what was rejected
-- What was loaded from each archive, how much of it was rejected, and why?
--
-- Grain: one row per archive_id, reason, what
--
-- Parameters:
--   :by  text(archive, reason)  archive  how rows are split: one for each archive, or one for each reason for which its
--                                        lines were rejected
--
-- Columns:
--   archive_id       text            identifier of the archive: first 16 hexadecimal digits of its SHA-256
--   archive          text            file name of the archive when it was first loaded
--   first_loaded_at  time            when the loading of the archive began
--   completed_at     time            when the archive was loaded completely; null until then
--   complete         integer         1: read to its end, undamaged; 0: not
--   bytes            integer(bytes)  size of the file
--   lines            integer(lines)  lines loaded so far: submissions and rejections
--   loaded_lines     integer(lines)  of the lines, those with a readable document
--   rejected_lines   integer(lines)  of the lines, those without a readable document; with by=reason, those rejected
--                                    for the reason
--   rejected_share   share           rejected_lines ÷ lines
--   reason           text            reason of the rejections, as in the view rejections; (all) unless :by is reason
--   what             text            detail of the rejections without its digits; (all) unless :by is reason
--   first_line       integer         number of the first of the rejected lines; null unless :by is reason
--   example          text            detail of the rejection of first_line; null unless :by is reason
--   other_stores     integer(lines)  lines about purchases of other stores, which do not count as rejected lines
--
-- Shown: archive, complete, lines, loaded_lines, rejected_lines, rejected_share, reason, first_line, example
-- Chart: bars  x=archive  y=loaded_lines,rejected_lines
--
-- Notes:
--   An incomplete archive was interrupted or is damaged; loading it again continues where it stopped. A device that
--   sent an unreadable receipt should refresh the receipt; the line of the archive names the device. Each line counts
--   once, by its first document. Unreadable documents of lines that also have a readable one are only in the view
--   rejections.
--
-- Example:
--   receiptmill report archive-loads --database mill.sqlite by=reason

WITH cut AS (
    SELECT
        lower(substr(hex(archive.sha256), 1, 16)) AS archive_id, rejection.reason, rejection.line, rejection.detail,
        -- Details of the same fault differ only in numbers, such as positions and lengths, so the digits are removed.
        replace(replace(replace(replace(replace(
        replace(replace(replace(replace(replace(
            rejection.detail, '0', ''), '1', ''), '2', ''), '3', ''), '4', ''),
            '5', ''), '6', ''), '7', ''), '8', ''), '9', '') AS what
    FROM rejection
    JOIN archive ON archive.archive_id = rejection.archive_id
    LEFT JOIN (SELECT DISTINCT archive_id, line FROM submission WHERE document > 1) AS part
        ON part.archive_id = rejection.archive_id AND part.line = rejection.line
    WHERE coalesce(:by, 'archive') = 'reason'
        AND rejection.document = 1 AND rejection.status <> 'cleared' AND part.line IS NULL
        AND rejection.reason NOT IN ('table_header', 'google_play', 'amazon_appstore')
),

counted AS (
    SELECT
        lower(substr(hex(sha256), 1, 16)) AS archive_id,
        lines - loaded_lines - other_stores - headers AS rejected_lines
    FROM archive
),

found AS (
    SELECT
        *, row_number() OVER (PARTITION BY archive_id, reason, what ORDER BY line) AS place,
        count(*) OVER (PARTITION BY archive_id, reason, what) AS lines
    FROM cut
)

SELECT
    archives.archive_id, archives.name AS archive, archives.first_loaded_at, archives.completed_at, archives.complete,
    archives.bytes, archives.lines, archives.loaded_lines,
    coalesce(found.lines, counted.rejected_lines) AS rejected_lines,
    round(CAST(coalesce(found.lines, counted.rejected_lines) AS DOUBLE) / nullif(archives.lines, 0), 4) AS rejected_share,
    coalesce(found.reason, '(all)') AS reason, coalesce(found.what, '(all)') AS what,
    found.line AS first_line, found.detail AS example, archives.other_stores
FROM archives
JOIN counted ON counted.archive_id = archives.archive_id
LEFT JOIN found ON found.archive_id = archives.archive_id AND found.place = 1
WHERE coalesce(:by, 'archive') = 'archive' OR found.archive_id IS NOT NULL
ORDER BY archives.first_loaded_at, archives.name, archives.archive_id, 9 DESC, 11, 12;
