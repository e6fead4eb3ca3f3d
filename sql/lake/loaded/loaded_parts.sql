SELECT *
FROM stored_parts
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_parts.archive_sha256)
