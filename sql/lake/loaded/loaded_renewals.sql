SELECT *
FROM stored_renewals
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_renewals.archive_sha256)
