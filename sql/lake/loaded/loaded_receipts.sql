SELECT *
FROM stored_receipts
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_receipts.archive_sha256)
