SELECT *
FROM stored_submissions
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_submissions.archive_sha256)
