SELECT *
FROM stored_app_transactions
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_app_transactions.archive_sha256)
