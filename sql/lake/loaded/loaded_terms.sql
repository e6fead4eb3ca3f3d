SELECT *
FROM stored_terms
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_terms.archive_sha256)
