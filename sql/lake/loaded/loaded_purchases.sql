SELECT *
FROM stored_purchases
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_purchases.archive_sha256)
