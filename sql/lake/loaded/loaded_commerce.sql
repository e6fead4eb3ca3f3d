SELECT *
FROM stored_commerce
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_commerce.archive_sha256)
