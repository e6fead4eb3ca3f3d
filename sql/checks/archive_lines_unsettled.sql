-- Archives whose lines are not each one submission, one rejection, or one line
-- of a rejects file that was settled before. A line that was rejected and could
-- be read later in its own place is a submission.
WITH counted AS (
    SELECT
        archive.name,
        archive.lines,
        archive.loaded_lines,
        archive.pruned_lines + (
            SELECT count(*) FROM submission
            WHERE submission_id BETWEEN archive.archive_id << 32 AND (archive.archive_id + 1 << 32) - 1
        ) AS submissions,
        (
            SELECT count(*) FROM rejection
            WHERE rejection.archive_id = archive.archive_id
                AND cleared_by IS NOT rejection.archive_id << 32 | rejection.line
        ) AS rejections,
        (SELECT count(*) FROM repeated_line WHERE repeated_line.archive_id = archive.archive_id) AS repeats
    FROM archive
)

SELECT
    name || ': ' || lines || ' lines, ' || loaded_lines || ' loaded, ' || submissions || ' submissions, '
        || rejections || ' rejections, ' || repeats || ' repeats' AS offence
FROM counted
WHERE loaded_lines <> submissions OR lines - loaded_lines <> rejections + repeats
