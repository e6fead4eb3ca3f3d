-- At most :limit archives of the run :run, which began at :begin and ended at :end; archives that were not read to
-- their end come first. An archive has no row in run_archive if none of its lines was read, or if the run was killed or
-- ended by an error. Such archives are among the newest, so only these are read. Only tables are read, because the
-- views may have been created by an older version.
SELECT *
FROM (
    SELECT
        loaded.name, loaded.lines, loaded.rejected, loaded.untrusted, archive.complete,
        coalesce(archive.other_stores, 0) AS other_stores, loaded.archive_id
    FROM run_archive AS loaded
    LEFT JOIN archive ON archive.archive_id = loaded.archive_id AND archive.name = loaded.name
    WHERE loaded.run_id = :run
    UNION ALL
    SELECT
        name, lines, lines - loaded_lines - other_stores - headers, NULL, complete, other_stores, archive_id
    FROM (SELECT * FROM archive ORDER BY archive_id DESC LIMIT :limit) AS newest
    WHERE first_loaded_at BETWEEN :begin AND :end
        AND NOT EXISTS (
            SELECT 1 FROM run_archive AS loaded
            WHERE loaded.run_id = :run AND loaded.archive_id = newest.archive_id
        )
)
ORDER BY complete, rejected + coalesce(untrusted, 0) DESC, archive_id
LIMIT :limit
