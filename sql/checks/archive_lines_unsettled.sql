-- Archives whose lines are not each one submission or one rejection.
SELECT
    archive.name || ': ' || archive.lines || ' lines, ' || archive.loaded_lines || ' loaded, '
        || (SELECT count(*) FROM submission
            WHERE submission_id BETWEEN archive.archive_id << 32 AND (archive.archive_id + 1 << 32) - 1)
        || ' submissions, '
        || (SELECT count(*) FROM rejection WHERE rejection.archive_id = archive.archive_id)
        || ' rejections' AS offence
FROM archive
WHERE archive.loaded_lines <> (
        SELECT count(*) FROM submission
        WHERE submission_id BETWEEN archive.archive_id << 32 AND (archive.archive_id + 1 << 32) - 1)
    OR archive.lines - archive.loaded_lines <> (
        SELECT count(*) FROM rejection WHERE rejection.archive_id = archive.archive_id)
