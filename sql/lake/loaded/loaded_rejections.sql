SELECT *
FROM stored_rejections
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_rejections.archive_sha256)
