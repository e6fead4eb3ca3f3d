SELECT *
FROM stored_realtime_requests
WHERE EXISTS (SELECT 1 FROM loaded_archives WHERE loaded_archives.sha256 = stored_realtime_requests.archive_sha256)
