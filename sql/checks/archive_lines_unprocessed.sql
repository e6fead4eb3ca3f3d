-- Archives whose lines are not each one submission or one rejection. A line that
-- was rejected and could be read later is a submission.
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
            WHERE rejection.archive_id = archive.archive_id AND status <> 'cleared'
        ) AS rejections
    FROM archive
)

SELECT
    name || ': ' || lines || ' lines, ' || loaded_lines || ' loaded, ' || submissions || ' submissions, '
        || rejections || ' rejections' AS offence
FROM counted
WHERE loaded_lines <> submissions OR lines - loaded_lines <> rejections
