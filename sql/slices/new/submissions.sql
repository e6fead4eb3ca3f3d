-- Submissions that the models have not read yet: those of lines after the last line read of an archive, and those of
-- rejected lines that were loaded later.
--
-- Key: submission_id
WITH RECURSIVE documents (place) AS (
    -- Numbers of the documents in a line, from 0.
    SELECT 0
    UNION ALL
    SELECT place + 1
    FROM documents
    WHERE place < (SELECT max(submission_id) FROM submission) >> 52
)

SELECT submission.submission_id
FROM archive
LEFT JOIN model_loaded AS seen ON seen.archive_id = archive.archive_id
CROSS JOIN documents
CROSS JOIN submission
    -- SQLite reads << and | from left to right.
    ON submission.submission_id > (documents.place << 52) + (archive.archive_id << 32) + coalesce(seen.lines, 0)
    AND submission.submission_id <= (documents.place << 52) + (archive.archive_id << 32) + archive.lines
WHERE archive.lines > coalesce(seen.lines, 0)
UNION ALL
SELECT submission_id
FROM late_submission
