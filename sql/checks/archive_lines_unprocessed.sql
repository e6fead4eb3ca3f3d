-- Archives with lines that are neither loaded nor rejected. A line is loaded if one of its documents is a submission,
-- even if others are rejected. A rejected line that could be read later is a submission. If submissions of a line were
-- deleted for their age, it is unknown whether the line also had a rejection.
WITH further AS (
    SELECT DISTINCT submission_id & (1 << 52) - 1 AS place
    FROM submission
    WHERE submission_id >= 1 << 52
),

-- Lines whose first document is no submission, although a later one is.
begun_later AS (
    SELECT place >> 32 AS archive_id, count(*) AS lines
    FROM further
    WHERE place NOT IN (SELECT submission_id FROM submission)
    GROUP BY place >> 32
),

alone AS (
    SELECT archive_id, count(DISTINCT line) AS lines
    FROM rejection
    WHERE status <> 'cleared'
        AND archive_id << 32 | line NOT IN (SELECT submission_id FROM submission)
        AND archive_id << 32 | line NOT IN (SELECT place FROM further)
    GROUP BY archive_id
),

counted AS (
    SELECT
        archive.name,
        archive.lines,
        archive.loaded_lines,
        archive.pruned_lines,
        archive.pruned_lines + coalesce(begun_later.lines, 0) + (
            SELECT count(*) FROM submission
            WHERE submission_id BETWEEN archive.archive_id << 32 AND (archive.archive_id + 1 << 32) - 1
        ) AS submitted,
        coalesce(alone.lines, 0) AS rejected
    FROM archive
    LEFT JOIN begun_later USING (archive_id)
    LEFT JOIN alone USING (archive_id)
)

SELECT
    name || ': ' || lines || ' lines, ' || loaded_lines || ' loaded, ' || submitted || ' with submissions, '
        || rejected || ' with rejections alone' AS offence
FROM counted
WHERE loaded_lines <> submitted
    OR lines - loaded_lines > rejected
    OR (lines - loaded_lines < rejected AND pruned_lines = 0)
