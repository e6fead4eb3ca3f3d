SELECT *
FROM stored_issuers
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_issuers.archive_sha256)
