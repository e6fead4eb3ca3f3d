SELECT *
FROM stored_notifications
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_notifications.archive_sha256)
