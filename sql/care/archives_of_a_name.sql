-- The archive :archive and the last :count archives of the same name before it, newest first, each with the number of
-- its lines whose first document is a submission.
SELECT archive_id, name, lower(hex(sha256)), lines, (
        SELECT count(*) FROM submission
        WHERE submission_id BETWEEN archive.archive_id << 32 AND archive.archive_id << 32 | archive.lines
    )
FROM archive
WHERE name = (SELECT name FROM archive WHERE archive_id = :archive) AND archive_id <= :archive
ORDER BY archive_id DESC
LIMIT 1 + :count
